import { Field, Summary, type FormState } from '../parts/fields.tsx'
import type { signUpOf } from '../../settings.ts'
import { NewPasswordField } from './new-password-field.tsx'

export const SignUp = ({ form, mode }: { form: FormState; mode: ReturnType<typeof signUpOf> }) => (
  <div class="card entry">
    <h1>Create account</h1>
    <p class="lead">
      {mode === 'closed'
        ? 'The operator of the service creates no new accounts.'
        : 'Tag your first garment in three minutes.'}
    </p>
    <Summary form={form} />
    <form method="post" action="/dashboard/sign-up" novalidate>
      <Field form={form} name="name" label="Your name" autocomplete="name" />
      <Field form={form} name="company" label="Company" autocomplete="organization" optional />
      <Field form={form} name="email" type="email" label="Email" autocomplete="email" />
      <NewPasswordField form={form} label="Password" />
      {mode === 'code' && (
        <Field
          form={form}
          name="sign_up_code"
          label="Code"
          hint="From the operator of the service."
          autocomplete="off"
        />
      )}
      <button>Create account</button>
    </form>
    <p class="aside">
      Already have an account? <a href="/dashboard/sign-in">Sign in</a>
    </p>
  </div>
)

import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Notice } from '../parts/text.tsx'

interface SignInProps {
  readonly form: FormState
  /** The page to open afterwards. */
  readonly next?: string | undefined
  /** Input that was submitted to that page after the session had ended. */
  readonly kept?: string | undefined
  /** Whether a link has just set the password. */
  readonly isReset?: boolean
}

export const SignIn = ({ form, next, kept, isReset = false }: SignInProps) => (
  <div class="card entry">
    <h1>Sign in</h1>
    {isReset && <Notice tone="good" title="The password was set. Sign in with it." />}
    {next !== undefined && form.problems === undefined && (
      <p class="lead">Please sign in to continue.{kept !== undefined && ' Your input is kept.'}</p>
    )}
    <Summary form={form} />
    <form method="post" action="/dashboard/sign-in" novalidate>
      {next !== undefined && <input type="hidden" name="next" value={next} />}
      {kept !== undefined && <input type="hidden" name="kept" value={kept} />}
      <Field form={form} name="email" type="email" label="Email" autocomplete="email" />
      <Field form={form} name="password" type="password" label="Password" autocomplete="current-password" />
      <button>Sign in</button>
    </form>
    <p class="aside">
      New here? <a href="/dashboard/sign-up">Create an account</a>. Forgotten the password? An owner of your account, or
      the operator of the service, can give you a link for a new one.
    </p>
  </div>
)

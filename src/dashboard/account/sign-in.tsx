import { Field, Summary, type FormState } from '../parts/fields.tsx'

/** `next` is the page to open afterwards. */
export const SignIn = ({ form, next }: { form: FormState; next?: string | undefined }) => (
  <div class="card entry">
    <h1>Sign in</h1>
    {next !== undefined && form.problems === undefined && <p class="lead">Please sign in to continue.</p>}
    <Summary form={form} />
    <form method="post" action="/dashboard/sign-in" novalidate>
      {next !== undefined && <input type="hidden" name="next" value={next} />}
      <Field form={form} name="email" type="email" label="Email" autocomplete="email" />
      <Field form={form} name="password" type="password" label="Password" autocomplete="current-password" />
      <button>Sign in</button>
    </form>
    <p class="aside">
      New here? <a href="/dashboard/sign-up">Create an account</a>
    </p>
  </div>
)

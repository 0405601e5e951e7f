import { Field, Summary, type FormState } from '../parts/fields.tsx'

interface SignInProps {
  readonly form: FormState
  /** The page to open afterwards. */
  readonly next?: string | undefined
  /** What a form had sent to that page when the session had ended. */
  readonly kept?: string | undefined
}

export const SignIn = ({ form, next, kept }: SignInProps) => (
  <div class="card entry">
    <h1>Sign in</h1>
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
      New here? <a href="/dashboard/sign-up">Create an account</a>
    </p>
  </div>
)

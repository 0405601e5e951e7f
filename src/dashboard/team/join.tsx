import { NewPasswordField } from '../account/new-password-field.tsx'
import type { Role } from '../../merchant/team/roles.ts'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { roleMeanings } from './role-texts.ts'

interface JoinProps {
  readonly form: FormState
  readonly token: string
  /** The account's name; may be empty. */
  readonly account: string
  readonly role: Role
}

export const Join = ({ form, token, account, role }: JoinProps) => (
  <div class="card entry">
    <h1>{account === '' ? 'Join the team' : `Join ${account}`}</h1>
    <p class="lead">
      You were invited as {role}: {roleMeanings[role]}.
    </p>
    <Summary form={form} />
    <form method="post" action="/dashboard/join" novalidate>
      <input type="hidden" name="token" value={token} />
      <Field form={form} name="name" label="Your name" autocomplete="name" />
      <Field form={form} name="email" type="email" label="Email" autocomplete="email" />
      <NewPasswordField form={form} label="Password" />
      <button>Join</button>
    </form>
  </div>
)

export const ResetPassword = ({ form, token, email }: { form: FormState; token: string; email: string }) => (
  <div class="card entry">
    <h1>New password</h1>
    <p class="lead">For {email}. All sessions and access tokens end with it.</p>
    <Summary form={form} />
    <form method="post" action="/dashboard/reset" novalidate>
      <input type="hidden" name="token" value={token} />
      <NewPasswordField form={form} label="New password" />
      <button>Set the password</button>
    </form>
  </div>
)

import { Allowed } from '../parts/allowed.tsx'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Facts, Heading, Notice } from '../parts/text.tsx'
import { roleNames } from '../team/role-texts.ts'
import type { Viewer } from '../viewer.ts'
import { accountWebhookPath } from '../paths.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** The state of each form on the page. */
export interface AccountForms {
  readonly password?: FormState
  readonly deletion?: FormState
}

interface AccountPageProps extends AccountForms {
  readonly viewer: Viewer
  readonly isPasswordChanged: boolean
}

const blank: FormState = { values: {} }

export const AccountPage = ({ viewer, isPasswordChanged, password = blank, deletion = blank }: AccountPageProps) => (
  <>
    <Heading title="Account" />
    {isPasswordChanged && (
      <Notice tone="good" title="The password was changed. All other sessions and access tokens were ended." />
    )}
    <section class="card">
      <Facts
        facts={[
          ['Name', viewer.name],
          ['Email', viewer.email],
          ['Role', roleNames[viewer.role]],
        ]}
      />
    </section>
    <section class="card narrow" aria-labelledby="password">
      <h2 id="password">Change the password</h2>
      <form method="post" action="/dashboard/account/password" novalidate>
        <Summary form={password} />
        <Field
          form={password}
          name="password"
          type="password"
          label="Current password"
          autocomplete="current-password"
        />
        <NewPasswordField form={password} name="new_password" label="New password" />
        <button>Change the password</button>
      </form>
    </section>
    <section class="card" aria-labelledby="sign-out">
      <h2 id="sign-out">Sign out everywhere</h2>
      <p>
        Ends all sessions in all browsers, this one included, and all access tokens of the API. API keys stay valid.
      </p>
      <form method="post" action="/dashboard/account/sign-out">
        <button class="plain">Sign out everywhere</button>
      </form>
    </section>
    <Allowed to="GET /dashboard/account/webhook">
      <section class="card" aria-labelledby="webhook">
        <h2 id="webhook">Account webhook</h2>
        <p>
          Tells your system when a webhook endpoint fails or was switched off, a quota is nearly reached, or an API key
          is created or revoked.
        </p>
        <p class="actions">
          <a class="button plain" href={accountWebhookPath}>
            Set it up
          </a>
        </p>
      </section>
    </Allowed>
    <Allowed to="POST /dashboard/account/delete">
      <section class="card danger" aria-labelledby="delete">
        <h2 id="delete">Delete the account</h2>
        {viewer.tenant !== null ? (
          <p>
            An account can be deleted once it has no tenant.{' '}
            <a href="/dashboard/tenant#delete">Delete the tenant first</a>.
          </p>
        ) : (
          <>
            <p>Permanently removes the account and all its members. Their emails can be used again immediately.</p>
            <form method="post" action="/dashboard/account/delete" novalidate>
              <Summary form={deletion} />
              <Field
                form={deletion}
                name="confirmation"
                type="password"
                label="Type your password to confirm"
                autocomplete="current-password"
              />
              <button class="bad">Delete the account</button>
            </form>
          </>
        )}
      </section>
    </Allowed>
  </>
)

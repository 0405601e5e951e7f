import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Allowed } from '../parts/actions.tsx'
import { blankForm, Field, type FormState, NewPasswordField, PasswordField, Summary } from '../parts/fields.tsx'
import { Heading, Notice } from '../parts/text.tsx'
import { roleNames } from './team.tsx'
import { type DashboardEnv, forgetSession, originOf, startSession, type Viewer } from '../viewer.ts'
import { accountDatabase } from '../../platform/db/databases.ts'
import { changeDetails, changePassword, deleteMerchant } from '../../accounts/merchant.ts'
import { checkPassword } from '../../accounts/password.ts'
import { endAllSessions } from '../../accounts/token.ts'
import { detailsSchema, passwordChangeSchema } from '../../accounts/fields.ts'
import { notDeleted } from '../errors.ts'
import { formBody, parseFields, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'

/** The state of each form on the page. */
interface AccountForms {
  readonly details?: FormState
  readonly password?: FormState
  readonly deletion?: FormState
}

interface AccountPageProps extends AccountForms {
  readonly viewer: Viewer
  /** What was just done. */
  readonly done: string | undefined
}

const section = '/dashboard/account'

const AccountPage = ({ viewer, done, password = blankForm, deletion = blankForm, ...page }: AccountPageProps) => {
  const details = page.details ?? { values: { name: viewer.name, email: viewer.email } }
  return (
    <>
      <Heading title="Account" />
      {done !== undefined && <Notice tone="good" title={done} />}
      <section class="card narrow" aria-labelledby="details">
        <h2 id="details">Your details</h2>
        <p class="hint">Your role is {roleNames[viewer.role].toLowerCase()}.</p>
        <form method="post" action={`${section}/details`} novalidate>
          <Summary form={details} />
          <Field form={details} name="name" label="Name" autocomplete="name" />
          <Field form={details} name="email" type="email" label="Email" autocomplete="email" />
          <PasswordField form={details} name="current" label="Your password" />
          <button>Save details</button>
        </form>
      </section>
      <section class="card narrow" aria-labelledby="password">
        <h2 id="password">Change the password</h2>
        <form method="post" action="/dashboard/account/password" novalidate>
          <Summary form={password} />
          <PasswordField form={password} label="Current password" />
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
      <Allowed to="POST /dashboard/account/delete">
        <section class="card danger" aria-labelledby="delete">
          <h2 id="delete">Delete the account</h2>
          {viewer.tenant !== null ? (
            <p>
              An account can be deleted once it has no shop.{' '}
              <a href="/dashboard/tenant#delete">Delete the shop first</a>.
            </p>
          ) : (
            <>
              <p>Permanently removes the account and all its members. Their emails can be used again immediately.</p>
              <form method="post" action="/dashboard/account/delete" novalidate>
                <Summary form={deletion} />
                <PasswordField form={deletion} name="confirmation" label="Type your password to confirm" />
                <button class="bad">Delete the account</button>
              </form>
            </>
          )}
        </section>
      </Allowed>
    </>
  )
}

const doneTexts = new Map([
  ['password', 'The password was changed. All other sessions and access tokens were ended.'],
  ['details', 'Your details were saved.'],
])

/** The pages of a member's own account. */
export const accountPages = new Hono<DashboardEnv>()

async function renderAccount(c: Context<DashboardEnv>, forms: AccountForms, status: ContentfulStatusCode = 200) {
  const done = doneTexts.get(c.req.query('done') ?? '')
  const page = <AccountPage viewer={c.get('viewer')} done={done} {...forms} />
  return await render(c, { title: 'Account', section, status }, page)
}

accountPages.get(section, async (c) => await renderAccount(c, {}))

accountPages.post(`${section}/details`, formBody, async (c) => {
  const result = await submitForm(
    c,
    ['name', 'email', 'current'],
    async ({ name = '', email: newEmail = '', current = '' }) => {
      const { memberId, email } = c.get('viewer')
      const details = parseFields(detailsSchema, { name, email: newEmail, password: current })
      const origin = await originOf(c, email)
      const change = { name: details.name, newEmail: details.email, email, password: details.password, ...origin }
      await changeDetails(c.env, memberId, change, Date.now())
    },
    { password: 'current' },
  )
  if (!result.ok) return await renderAccount(c, { details: result.form }, result.status)
  return c.redirect(`${section}?done=details`, 303)
})

accountPages.post(`${section}/password`, formBody, async (c) => {
  const result = await submitForm(c, ['password', 'new_password'], async (values) => {
    const { memberId, email } = c.get('viewer')
    const given = { password: values['password'] ?? '', new_password: values['new_password'] ?? '' }
    const { password, new_password: newPassword } = parseFields(passwordChangeSchema, given)
    const change = { email, password, newPassword, ...(await originOf(c, email)) }
    return await changePassword(c.env, memberId, change, Date.now())
  })
  if (!result.ok) return await renderAccount(c, { password: result.form }, result.status)
  // Every session was ended, this one included.
  await startSession(c, result.value)
  return c.redirect(`${section}?done=password`, 303)
})

accountPages.post(`${section}/sign-out`, formBody, async (c) => {
  await endAllSessions(accountDatabase(c.env), c.get('viewer').memberId)
  forgetSession(c)
  return c.redirect('/', 303)
})

accountPages.post(`${section}/delete`, formBody, async (c) => {
  const { id, email } = c.get('viewer')
  const result = await submitForm(c, ['confirmation'], async ({ confirmation: password = '' }) => {
    if ((await checkPassword(c.env, { email, password, ...(await originOf(c, email)) })) === null)
      throw notDeleted('this is not your password')
    await deleteMerchant(c.env, id, Date.now())
  })
  if (!result.ok) return await renderAccount(c, { deletion: result.form }, result.status)
  forgetSession(c)
  return c.redirect('/', 303)
})

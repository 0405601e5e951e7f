import { clientAddress } from '../../platform/limits/throttle.ts'
import { type Context, Hono } from 'hono'
import { Allowed } from '../parts/actions.tsx'
import { Field, type FormState, NewPasswordField, PasswordField, PostForm } from '../parts/form-fields.tsx'
import { Card, Heading } from '../parts/elements.tsx'
import { roleNames } from './team-page.tsx'
import { type DashboardEnv, forgetSession, startSession } from '../viewer.ts'
import { changeDetails, changePassword, deleteMerchant } from '../../accounts/merchant.ts'
import { checkPassword } from '../../accounts/password.ts'
import { endAllSessions } from '../../accounts/token.ts'
import { mayUse } from '../../accounts/permissions.ts'
import { createRecoveryCodes, recoveryCodeCount, recoveryCodesQuery } from '../../accounts/recovery-codes.ts'
import { NewCodes } from './recovery-page.tsx'
import { detailsSchema, passwordChangeSchema } from '../../accounts/account-fields.ts'
import { notDeleted } from '../page-errors.ts'
import { formBody, parseFields, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'

interface AccountForms {
  readonly details?: FormState
  readonly password?: FormState
  readonly codes?: FormState
  readonly deletion?: FormState
}

interface RecoveryCardProps {
  readonly left: number
  readonly form: FormState | undefined
}

const RecoveryCard = ({ left, form }: RecoveryCardProps) => (
  <Card id="recovery" title="Recovery codes" kind="narrow">
    <p>
      {left === 0
        ? 'You have no recovery codes. If you forget your password, only another owner or the operator can help.'
        : `${left} of ${recoveryCodeCount} codes are left. Each sets a new password once, if you forget yours.`}
    </p>
    <PostForm
      action="/dashboard/account/codes"
      form={form}
      button={left === 0 ? 'Create recovery codes' : 'Replace them by new codes'}
      kind="plain"
    >
      <PasswordField name="codes_password" label="Your password" />
    </PostForm>
  </Card>
)

const section = '/dashboard/account'

export const accountPages = new Hono<DashboardEnv>()

async function renderAccount(c: Context<DashboardEnv>, { details, password, codes, deletion }: AccountForms = {}) {
  const viewer = c.get('viewer')
  const isOwner = mayUse(viewer.role, 'POST /dashboard/account/codes')
  const [left] = isOwner ? await recoveryCodesQuery(c.get('accounts'), viewer.memberId) : []
  return await render(
    c,
    { title: 'Account', section },
    <>
      <Heading title="Account" />
      <Card id="details" title="Your details" kind="narrow">
        <p class="hint">Your role is {roleNames[viewer.role].toLowerCase()}.</p>
        <PostForm
          action={`${section}/details`}
          form={details ?? { values: { name: viewer.name, email: viewer.email } }}
          button="Save details"
        >
          <Field name="name" label="Name" autocomplete="name" />
          <Field name="email" type="email" label="Email" autocomplete="email" />
          <PasswordField name="current" label="Your password" />
        </PostForm>
      </Card>
      <Card id="password" title="Change the password" kind="narrow">
        <PostForm action="/dashboard/account/password" form={password} button="Change the password">
          <PasswordField label="Current password" />
          <NewPasswordField name="new_password" label="New password" />
        </PostForm>
      </Card>
      {isOwner && <RecoveryCard left={left?.count ?? 0} form={codes} />}
      <Card id="sign-out" title="Sign out everywhere">
        <p>
          You are signed out in all browsers, including this one. Access tokens of the API end too. API keys stay valid.
        </p>
        <PostForm action="/dashboard/account/sign-out" button="Sign out everywhere" kind="plain" />
      </Card>
      <Allowed to="POST /dashboard/account/delete">
        <Card id="delete" title="Delete the account" kind="danger">
          {viewer.tenant !== null ? (
            <p>
              An account can be deleted once it has no shop.{' '}
              <a href="/dashboard/tenant#delete">Delete the shop first</a>.
            </p>
          ) : (
            <>
              <p>Permanently removes the account and all its members. Their emails can be used again immediately.</p>
              <PostForm action="/dashboard/account/delete" form={deletion} button="Delete the account" kind="bad">
                <PasswordField name="confirmation" label="Type your password to confirm" />
              </PostForm>
            </>
          )}
        </Card>
      </Allowed>
    </>,
  )
}

accountPages.get(section, async (c) => await renderAccount(c))

accountPages.post(`${section}/details`, formBody, async (c) => {
  const result = await submitForm(
    c,
    ['name', 'email', 'current'],
    async ({ name = '', email: newEmail = '', current = '' }) => {
      const { memberId, email } = c.get('viewer')
      const details = parseFields(detailsSchema, { name, email: newEmail, password: current })
      const origin = { address: clientAddress(c) }
      const change = { name: details.name, newEmail: details.email, email, password: details.password, ...origin }
      await changeDetails(c.env, memberId, change, Date.now())
    },
    { password: 'current' },
  )
  if (!result.ok) return await renderAccount(c, { details: result.form })
  return c.redirect(`${section}?done=details`, 303)
})

accountPages.post(`${section}/password`, formBody, async (c) => {
  const result = await submitForm(c, ['password', 'new_password'], async (values) => {
    const { memberId, email } = c.get('viewer')
    const passwords = { password: values['password'] ?? '', new_password: values['new_password'] ?? '' }
    const { password, new_password: newPassword } = parseFields(passwordChangeSchema, passwords)
    const change = { email, password, newPassword, address: clientAddress(c) }
    return await changePassword(c.env, memberId, change, Date.now())
  })
  if (!result.ok) return await renderAccount(c, { password: result.form })
  // Every session has ended, including this one.
  await startSession(c, result.value)
  return c.redirect(`${section}?done=password`, 303)
})

/** Renders instead of redirecting, because only this response contains the codes. */
accountPages.post(`${section}/codes`, formBody, async (c) => {
  const { memberId, email, actor } = c.get('viewer')
  const result = await submitForm(
    c,
    ['codes_password'],
    async ({ codes_password: password = '' }) =>
      await createRecoveryCodes(c.env, memberId, { email, password, address: clientAddress(c) }, Date.now(), actor),
    { password: 'codes_password' },
  )
  if (!result.ok) return await renderAccount(c, { codes: result.form })
  return await render(c, { title: 'Recovery codes', section }, <NewCodes codes={result.value} email={email} />)
})

accountPages.post(`${section}/sign-out`, formBody, async (c) => {
  await endAllSessions(c.get('accounts'), c.get('viewer').memberId)
  forgetSession(c)
  return c.redirect('/', 303)
})

accountPages.post(`${section}/delete`, formBody, async (c) => {
  const { id, email } = c.get('viewer')
  const result = await submitForm(c, ['confirmation'], async ({ confirmation: password = '' }) => {
    if ((await checkPassword(c.env, { email, password, address: clientAddress(c) })) === null)
      throw notDeleted('this is not your password')
    await deleteMerchant(c.env, id, Date.now())
  })
  if (!result.ok) return await renderAccount(c, { deletion: result.form })
  forgetSession(c)
  return c.redirect('/', 303)
})

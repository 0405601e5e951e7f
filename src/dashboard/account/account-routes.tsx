import { Hono, type Context } from 'hono'
import { accountDatabase } from '../../db/databases/find-database.ts'
import { ApiError } from '../../http/errors.ts'
import { changePassword } from '../../merchant/change-password.ts'
import { checkPassword } from '../../merchant/password/check-password.ts'
import { deleteMerchant } from '../../merchant/delete-merchant.ts'
import { endAllSessions } from '../../merchant/end-sessions.ts'
import { passwordChangeSchema } from '../../merchant/fields.ts'
import { notDeleted } from '../errors/page-errors.ts'
import { formBody, parseFields, readForm, submit } from '../form.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { forgetSession, originOf, startSession } from '../session.ts'
import type { DashboardEnv } from '../viewer.ts'
import { AccountPage, type AccountForms } from './account-page.tsx'

const section = '/dashboard/account'

/** The pages of a member's own account. */
export const accountPages = new Hono<DashboardEnv>()

async function renderAccount(c: Context<DashboardEnv>, forms: AccountForms, failure?: ApiError) {
  const isPasswordChanged = c.req.query('done') === 'password'
  const page = <AccountPage viewer={c.get('viewer')} isPasswordChanged={isPasswordChanged} {...forms} />
  return await render(c, { title: 'Account', section, status: failure?.status ?? 200 }, page)
}

accountPages.get(section, async (c) => await renderAccount(c, {}))

accountPages.post(`${section}/password`, formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { memberId, email } = c.get('viewer')
    const given = { password: values['password'] ?? '', new_password: values['new_password'] ?? '' }
    const { password, new_password: newPassword } = parseFields(passwordChangeSchema, given)
    const change = { email, password, newPassword, ...(await originOf(c, email)) }
    return await changePassword(c.env, memberId, change, Date.now())
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['password', 'new_password'])
    return await renderAccount(c, { password: { values, problems } }, result.failure)
  }
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
  const values = await readForm(c)
  const { id, email } = c.get('viewer')
  const result = await submit(c, async () => {
    const password = values['confirmation'] ?? ''
    if ((await checkPassword(c.env, { email, password, ...(await originOf(c, email)) })) === null)
      throw notDeleted('this is not your password')
    await deleteMerchant(c.env, id, Date.now())
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['confirmation'])
    return await renderAccount(c, { deletion: { values, problems } }, result.failure)
  }
  forgetSession(c)
  return c.redirect('/', 303)
})

import { Hono, type Context } from 'hono'
import { accountDatabase } from '../../db/databases/find-database.ts'
import type { ApiError } from '../../http/errors.ts'
import { clientAddress } from '../../merchant/client-address.ts'
import { acceptInvitation, getInvitation } from '../../merchant/team/accept-invitation.ts'
import { newMemberSchema, newPasswordSchema } from '../../merchant/team/fields.ts'
import { getReset, resetPassword } from '../../merchant/team/reset-password.ts'
import { formBody, parseFields, readForm, submit, type FormValues } from '../form.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { startSession } from '../session.ts'
import type { DashboardEnv } from '../viewer.ts'
import { Join, ResetPassword } from './join.tsx'

/** The pages that a link opens for somebody who is not signed in. */
export const linkPages = new Hono<DashboardEnv>()

async function renderJoin(c: Context<DashboardEnv>, token: string, values: FormValues, failure?: ApiError) {
  const invitation = await getInvitation(accountDatabase(c.env), token, Date.now())
  const problems = failure && problemsOf(failure, ['name', 'email', 'password'])
  const page = <Join form={{ values, problems }} token={token} {...invitation} />
  return await render(c, { title: 'Join the team', status: failure?.status ?? 200 }, page)
}

linkPages.get('/dashboard/join', async (c) => await renderJoin(c, c.req.query('token') ?? '', {}))

linkPages.post('/dashboard/join', formBody, async (c) => {
  const values = await readForm(c)
  const { token = '', name = '', email = '', password = '' } = values
  const result = await submit(c, async () => {
    const person = parseFields(newMemberSchema, { name, email, password })
    return await acceptInvitation(c.env, token, { ...person, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) return await renderJoin(c, token, values, result.failure)
  await startSession(c, result.value)
  return c.redirect('/dashboard', 303)
})

async function renderReset(c: Context<DashboardEnv>, token: string, failure?: ApiError) {
  const { email } = await getReset(accountDatabase(c.env), token, Date.now())
  const problems = failure && problemsOf(failure, ['password'])
  const page = <ResetPassword form={{ values: {}, problems }} token={token} email={email} />
  return await render(c, { title: 'New password', status: failure?.status ?? 200 }, page)
}

linkPages.get('/dashboard/reset', async (c) => await renderReset(c, c.req.query('token') ?? ''))

linkPages.post('/dashboard/reset', formBody, async (c) => {
  const { token = '', password: given = '' } = await readForm(c)
  const result = await submit(c, async () => {
    const { password } = parseFields(newPasswordSchema, { password: given })
    await resetPassword(c.env, { token, password, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) return await renderReset(c, token, result.failure)
  return c.redirect('/dashboard/sign-in?done=password', 303)
})

import { Hono, type Context } from 'hono'
import { accountDatabase } from '../../db/databases/find-database.ts'
import type { ApiError } from '../../http/errors.ts'
import { changeRole, removeMember } from '../../merchant/team/change-role.ts'
import { invitationSchema, roleSchema } from '../../merchant/team/fields.ts'
import { invitationDays, inviteMember, withdrawInvitation } from '../../merchant/team/invite-member.ts'
import { linkTo } from '../../merchant/team/link-token.ts'
import { listMembers } from '../../merchant/team/list-members.ts'
import { startReset } from '../../merchant/team/reset-password.ts'
import { settingsOf } from '../../settings.ts'
import { formBody, parseFields, readForm, submit } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { teamPath } from '../paths.ts'
import { problemsOf } from '../problems.ts'
import { forgetSession } from '../session.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { LinkPage } from './link-page.tsx'
import { TeamPage } from './team-page.tsx'

const blank: FormState = { values: { role: 'reviewer' } }

export const teamPages = new Hono<DashboardEnv>()

async function renderTeam(
  c: Context<DashboardEnv>,
  forms: { form?: FormState; failure?: FormState },
  failed?: ApiError,
) {
  const { id, memberId, clock } = c.get('viewer')
  const team = await listMembers(accountDatabase(c.env), id, Date.now())
  const page = <TeamPage {...team} {...{ memberId, clock, form: blank, done: c.req.query('done') }} {...forms} />
  return await render(c, { title: 'Team', section: teamPath, status: failed?.status ?? 200 }, page)
}

/** Renders instead of redirecting: the link is shown in this response only. */
async function renderLink(
  c: Context<DashboardEnv>,
  { page, token, ...texts }: { page: 'join' | 'reset'; token: string; title: string; lead: string },
) {
  const link = linkTo(page, token, settingsOf(c.env).PUBLIC_URL ?? new URL(c.req.url).origin)
  return await render(c, { title: texts.title, section: teamPath }, <LinkPage {...texts} link={link} />)
}

teamPages.get(teamPath, async (c) => await renderTeam(c, {}))

teamPages.post(`${teamPath}/invite`, formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { role, label = '' } = values
    const invitation = parseFields(invitationSchema, { role, label })
    return await inviteMember(accountDatabase(c.env), c.get('viewer').id, invitation, Date.now(), c.get('viewer').actor)
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['label', 'role'])
    return await renderTeam(c, { form: { values, problems } }, result.failure)
  }
  const lead = `Whoever opens it within ${invitationDays} days joins your account.`
  return await renderLink(c, { page: 'join', token: result.value, title: 'Invitation', lead })
})

teamPages.post(`${teamPath}/withdraw`, formBody, async (c) => {
  const { id = '' } = await readForm(c)
  await withdrawInvitation(accountDatabase(c.env), c.get('viewer').id, id, madeBy(c))
  return c.redirect(`${teamPath}?done=withdrawn`, 303)
})

teamPages.post(`${teamPath}/role`, formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { role } = parseFields(roleSchema, { role: values['role'] })
    const change = { memberId: values['id'] ?? '', role }
    await changeRole(accountDatabase(c.env), c.get('viewer').id, change, madeBy(c))
  })
  if (result.ok) return c.redirect(`${teamPath}?done=role`, 303)
  return await renderTeam(c, { failure: { values, problems: problemsOf(result.failure, []) } }, result.failure)
})

teamPages.post(`${teamPath}/remove`, formBody, async (c) => {
  const values = await readForm(c)
  const { id: merchantId, memberId } = c.get('viewer')
  const id = values['id'] ?? ''
  const result = await submit(c, async () => {
    await removeMember(accountDatabase(c.env), merchantId, id, madeBy(c))
  })
  if (!result.ok)
    return await renderTeam(c, { failure: { values, problems: problemsOf(result.failure, []) } }, result.failure)
  if (id !== memberId) return c.redirect(`${teamPath}?done=removed`, 303)
  forgetSession(c)
  return c.redirect('/', 303)
})

teamPages.post(`${teamPath}/reset`, formBody, async (c) => {
  const { id: memberId = '' } = await readForm(c)
  const { id: merchantId, actor } = c.get('viewer')
  const { token } = await startReset(accountDatabase(c.env), { merchantId, memberId }, Date.now(), actor)
  const lead = 'Within an hour, it sets a new password and signs its owner out everywhere.'
  return await renderLink(c, { page: 'reset', token, title: 'Link for a new password', lead })
})

import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Role } from '../../accounts/permissions.ts'
import { roles } from '../../platform/db/schema.ts'
import { changeRole, type Invitation, listMembers, type Member, removeMember } from '../../accounts/team.ts'
import type { Clock } from '../clock.ts'
import { Copyable, Heading, Notice, WhenCell } from '../parts/text.tsx'
import { invitationDays, inviteMember, linkTo, startReset, withdrawInvitation } from '../../accounts/links.ts'
import { Choice, Field, type FormState, Summary } from '../parts/fields.tsx'
import { Table } from '../parts/list.tsx'
import { RowAction } from '../parts/actions.tsx'
import { accountDatabase } from '../../platform/db/databases.ts'
import { invitationSchema, roleSchema } from '../../accounts/fields.ts'
import { settingsOf } from '../../settings.ts'
import { formBody, parseFields, readForm, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'
import { teamPath } from '../paths.ts'
import { type DashboardEnv, forgetSession, madeBy } from '../viewer.ts'

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  reviewer: 'Reviewer',
}

export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: 'everything, with people, API keys, webhook, retention and deletion of the shop',
  editor: 'garments, imports, exports, deliveries and studios',
  reviewer: 'looks at garments, reviews and corrects them',
}

interface MemberRowProps {
  readonly member: Member
  /** Whether this is the viewer. */
  readonly isSelf: boolean
  readonly clock: Clock
}

const MemberRow = ({ member, isSelf, clock }: MemberRowProps) => (
  <tr>
    <th scope="row">
      {member.name}
      {isSelf && <span class="hint"> (you)</span>}
    </th>
    <td data-label="Email">{member.email}</td>
    <td data-label="Role">{roleNames[member.role]}</td>
    <WhenCell label="Since" at={member.createdAt} clock={clock} />
    <td class="end">
      <details class="confirm calm">
        <summary>
          Change<span class="visually-hidden"> {member.name}</span>
        </summary>
        <form method="post" action="/dashboard/team/role">
          <input type="hidden" name="id" value={member.id} />
          <label for={`role-${member.id}`}>Role of {member.name}</label>
          <select id={`role-${member.id}`} name="role">
            {roles.map((role) => (
              <option value={role} selected={role === member.role}>
                {roleNames[role]}
              </option>
            ))}
          </select>
          <button class="plain">Change the role</button>
        </form>
        {!isSelf && (
          <form method="post" action="/dashboard/team/reset">
            <input type="hidden" name="id" value={member.id} />
            <p>For members who have forgotten their password: a link to pass on, valid for an hour.</p>
            <button class="plain">Make a link for a new password</button>
          </form>
        )}
        <form method="post" action="/dashboard/team/remove">
          <input type="hidden" name="id" value={member.id} />
          <p>{isSelf ? 'You lose access' : `${member.name} loses access`} at once.</p>
          <button class="bad">{isSelf ? 'Leave the team' : 'Remove from the team'}</button>
        </form>
      </details>
    </td>
  </tr>
)

const linksEnded = 'If they were an owner, open invitations and links for passwords have ended.'

const done = new Map([
  ['role', `The role was changed. It holds from now on. ${linksEnded}`],
  [
    'removed',
    `The member was removed, and is signed out everywhere. Revoke the API keys that they know. ${linksEnded}`,
  ],
  ['withdrawn', 'The invitation was withdrawn.'],
])

interface TeamPageProps {
  readonly members: readonly Member[]
  readonly invitations: readonly Invitation[]
  /** Who looks at the page. */
  readonly memberId: string
  readonly clock: Clock
  readonly form: FormState
  readonly failure?: FormState | undefined
  readonly done?: string | undefined
}

const TeamPage = ({ members, invitations, memberId, clock, form, failure, ...page }: TeamPageProps) => {
  const notice = done.get(page.done ?? '')
  return (
    <>
      <Heading title="Team" lead="People who work on the same garments, each with a password of their own." />
      {notice !== undefined && <Notice tone="good" title={notice} />}
      {failure !== undefined && <Summary form={failure} />}
      <section class="card flush" aria-label="Members">
        <Table names={['Name', 'Email', 'Role', 'Since']} hasActions>
          {members.map((member) => (
            <MemberRow member={member} isSelf={member.id === memberId} clock={clock} />
          ))}
        </Table>
      </section>
      {invitations.length > 0 && <Invitations invitations={invitations} clock={clock} />}
      <section class="card narrow" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <form method="post" action="/dashboard/team/invite" novalidate>
          <Summary form={form} />
          <Field form={form} name="label" label="For whom" hint="To tell invitations apart." optional />
          <Choice
            form={form}
            name="role"
            label="Role"
            values={roles}
            names={roleNames}
            hint={
              <>
                {Object.entries(roleMeanings).map(([role, meaning]) => (
                  <>
                    {roleNames[role as keyof typeof roleNames]}: {meaning}.<br />
                  </>
                ))}
                <a href="/docs/security#roles">What each role may do</a>
              </>
            }
          />
          <p>You get a link to pass on. It works once, within {invitationDays} days.</p>
          <button>Make a link</button>
        </form>
      </section>
    </>
  )
}

const Invitations = ({ invitations, clock }: Pick<TeamPageProps, 'invitations' | 'clock'>) => (
  <section class="card flush" aria-labelledby="open">
    <h2 id="open">Open invitations</h2>
    <Table names={['For', 'Role', 'Until']} hasActions>
      {invitations.map(({ id, label, role, expiresAt }) => (
        <tr>
          <th scope="row">{label || 'Somebody'}</th>
          <td data-label="Role">{roleNames[role]}</td>
          <WhenCell label="Until" at={expiresAt} clock={clock} />
          <RowAction
            path="/dashboard/team/withdraw"
            fields={{ id }}
            label="Withdraw"
            about={`the invitation for ${label || 'somebody'}`}
            isBad
          />
        </tr>
      ))}
    </Table>
  </section>
)

interface LinkPageProps {
  readonly title: string
  readonly lead: string
  readonly link: string
}

/** A link that is shown in this response only. */
const LinkPage = ({ title, lead, link }: LinkPageProps) => (
  <div class="narrow">
    <Heading title={title} lead={lead} />
    <Notice tone="busy" title="Copy it now. It is shown only once.">
      <p>Pass it on in a way that only its receiver can read: whoever opens it first can use it.</p>
    </Notice>
    <section class="card">
      <Copyable text={link} label="link" wrap />
    </section>
    <p class="actions">
      <a class="button" href="/dashboard/team">
        I have copied it
      </a>
    </p>
  </div>
)

const blank: FormState = { values: { role: 'reviewer' } }

export const teamPages = new Hono<DashboardEnv>()

async function renderTeam(
  c: Context<DashboardEnv>,
  forms: { form?: FormState; failure?: FormState },
  status: ContentfulStatusCode = 200,
) {
  const { id, memberId, clock } = c.get('viewer')
  const team = await listMembers(accountDatabase(c.env), id, Date.now())
  const page = <TeamPage {...team} {...{ memberId, clock, form: blank, done: c.req.query('done') }} {...forms} />
  return await render(c, { title: 'Team', section: teamPath, status }, page)
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
  const result = await submitForm(c, ['label', 'role'], async ({ role, label = '' }) => {
    const invitation = parseFields(invitationSchema, { role, label })
    return await inviteMember(accountDatabase(c.env), c.get('viewer').id, invitation, Date.now(), c.get('viewer').actor)
  })
  if (!result.ok) return await renderTeam(c, { form: result.form }, result.status)
  const lead = `Whoever opens it within ${invitationDays} days joins your account.`
  return await renderLink(c, { page: 'join', token: result.value, title: 'Invitation', lead })
})

teamPages.post(`${teamPath}/withdraw`, formBody, async (c) => {
  const { id = '' } = await readForm(c)
  await withdrawInvitation(accountDatabase(c.env), c.get('viewer').id, id, madeBy(c))
  return c.redirect(`${teamPath}?done=withdrawn`, 303)
})

teamPages.post(`${teamPath}/role`, formBody, async (c) => {
  const result = await submitForm(c, [], async ({ id: memberId = '', ...values }) => {
    const { role } = parseFields(roleSchema, { role: values['role'] })
    await changeRole(accountDatabase(c.env), c.get('viewer').id, { memberId, role }, madeBy(c))
  })
  if (!result.ok) return await renderTeam(c, { failure: result.form }, result.status)
  return c.redirect(`${teamPath}?done=role`, 303)
})

teamPages.post(`${teamPath}/remove`, formBody, async (c) => {
  const { id: merchantId, memberId } = c.get('viewer')
  const result = await submitForm(c, [], async ({ id = '' }) => {
    await removeMember(accountDatabase(c.env), merchantId, id, madeBy(c))
    return id
  })
  if (!result.ok) return await renderTeam(c, { failure: result.form }, result.status)
  if (result.value !== memberId) return c.redirect(`${teamPath}?done=removed`, 303)
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

import { type Context, Hono } from 'hono'
import type { Role } from '../../accounts/permissions.ts'
import { roles } from '../../platform/db/schema.ts'
import { changeRole, listMembers, removeMember, type Team } from '../../accounts/team.ts'
import { ButtonLink, Card, Copyable, Heading, Notice, WhenCell } from '../parts/elements.tsx'
import { invitationDays, inviteMember, linkTo, startReset, withdrawInvitation } from '../../accounts/links.ts'
import { Choice, Field, type FormState, PostForm, Summary } from '../parts/form-fields.tsx'
import { Table } from '../parts/list-parts.tsx'
import { RowAction } from '../parts/actions.tsx'
import { limitInvitationMail, mailerOf, mailInvitation } from '../../accounts/mail.ts'
import { mailedInvitationSchema, roleSchema } from '../../accounts/account-fields.ts'
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
  owner: 'everything, also people, API keys, webhooks and deleting the shop',
  editor: 'garments, imports, exports, deliveries and studios',
  reviewer: 'looks at garments, reviews and corrects them',
}

interface MemberRowProps {
  readonly member: Team['members'][number]
  readonly isSelf: boolean
}

const MemberRow = ({ member, member: { id }, isSelf }: MemberRowProps) => (
  <tr>
    <th scope="row">
      {member.name}
      {isSelf && <span class="hint"> (you)</span>}
    </th>
    <td data-label="Email">{member.email}</td>
    <td data-label="Role">{roleNames[member.role]}</td>
    <WhenCell label="Since" at={member.createdAt} />
    <td class="end">
      <details class="confirm calm">
        <summary>
          Change<span class="visually-hidden"> {member.name}</span>
        </summary>
        <PostForm action="/dashboard/team/role" fields={{ id }} button="Change the role" kind="plain">
          <label for={`role-${member.id}`}>Role of {member.name}</label>
          <select id={`role-${member.id}`} name="role">
            {roles.map((role) => (
              <option value={role} selected={role === member.role}>
                {roleNames[role]}
              </option>
            ))}
          </select>
        </PostForm>
        {!isSelf && (
          <PostForm action="/dashboard/team/reset" fields={{ id }} button="Make a link for a new password" kind="plain">
            <p>For members who have forgotten their password: a link to pass on, valid for an hour.</p>
          </PostForm>
        )}
        <PostForm
          action="/dashboard/team/remove"
          fields={{ id }}
          button={isSelf ? 'Leave the team' : 'Remove from the team'}
          kind="bad"
        >
          <p>{isSelf ? 'You lose access' : `${member.name} loses access`} at once.</p>
        </PostForm>
      </details>
    </td>
  </tr>
)

const Invitations = ({ invitations }: Pick<Team, 'invitations'>) => (
  <Card id="open" title="Open invitations" kind="flush">
    <Table names={['For', 'Role', 'Until']} hasActions>
      {invitations.map(({ id, label, role, expiresAt }) => (
        <tr>
          <th scope="row">{label || 'Somebody'}</th>
          <td data-label="Role">{roleNames[role]}</td>
          <WhenCell label="Until" at={expiresAt} />
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
  </Card>
)

const blank: FormState = { values: { role: 'reviewer' } }

export const teamPages = new Hono<DashboardEnv>()

async function renderTeam(
  c: Context<DashboardEnv>,
  { form = blank, failure }: { form?: FormState; failure?: FormState },
) {
  const canMail = mailerOf(c.env, c.req.url) !== null
  const { id, memberId } = c.get('viewer')
  const { members, invitations } = await listMembers(c.get('accounts'), id, Date.now())
  return await render(
    c,
    { title: 'Team', section: teamPath },
    <>
      <Heading title="Team" lead="People who work on the same garments, each with a password of their own." />
      {failure && <Summary problems={failure.problems} />}
      <section class="card flush" aria-label="Members">
        <Table names={['Name', 'Email', 'Role', 'Since']} hasActions>
          {members.map((member) => (
            <MemberRow member={member} isSelf={member.id === memberId} />
          ))}
        </Table>
      </section>
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      <Card id="invite" title="Invite somebody" kind="narrow">
        <PostForm action="/dashboard/team/invite" form={form} button="Invite">
          {canMail && (
            <Field name="email" type="email" label="Email" hint="We send the link there. You see it too." optional />
          )}
          <Field name="label" label="For whom" hint="To tell invitations apart." optional />
          <Choice
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
        </PostForm>
      </Card>
    </>,
  )
}

interface Link {
  readonly page: 'join' | 'reset'
  readonly token: string
  readonly title: string
  readonly lead: string
  /** Whether the link was mailed, and to which address. Absent if nobody asked to mail it. */
  readonly sentTo?: { readonly email: string; readonly isSent: boolean } | undefined
}

/** Renders instead of redirecting, because only this response contains the link. */
async function renderLink(c: Context<DashboardEnv>, { page, token, title, lead, sentTo }: Link) {
  const link = linkTo(page, token, settingsOf(c.env).PUBLIC_URL ?? new URL(c.req.url).origin)
  return await render(
    c,
    { title, section: teamPath },
    <div class="narrow">
      <Heading title={title} lead={lead} />
      {sentTo?.isSent === true && <Notice tone="good" title={`The link was sent to ${sentTo.email}.`} />}
      {sentTo?.isSent === false && (
        <Notice tone="bad" title={`The link could not be sent to ${sentTo.email}. Send it yourself.`} />
      )}
      <Notice tone="busy" title="Copy it now. It is shown only once.">
        <p>Send it in a way that only its receiver can read, because anyone who opens it can use it.</p>
      </Notice>
      <section class="card">
        <Copyable text={link} label="link" wrap />
      </section>
      <p class="actions">
        <ButtonLink to="/dashboard/team">I have copied it</ButtonLink>
      </p>
    </div>,
  )
}

teamPages.get(teamPath, async (c) => await renderTeam(c, {}))

teamPages.post(`${teamPath}/invite`, formBody, async (c) => {
  const { id: merchantId, actor, tenant } = c.get('viewer')
  const mailer = mailerOf(c.env, c.req.url)
  const result = await submitForm(c, ['email', 'label', 'role'], async (values) => {
    const { email, label, role } = parseFields(mailedInvitationSchema, values)
    const isMailed = mailer !== null && email !== ''
    if (isMailed) await limitInvitationMail(c.env, { merchantId, email })
    const token = await inviteMember(c.get('accounts'), merchantId, { role, label: label || email }, Date.now(), actor)
    if (!isMailed) return { token }
    return {
      token,
      sentTo: { email, isSent: await mailInvitation(mailer, { email, shop: tenant?.name ?? '', token }) },
    }
  })
  if (!result.ok) return await renderTeam(c, { form: result.form })
  const lead = `Whoever opens it within ${invitationDays} days joins your account.`
  return await renderLink(c, { page: 'join', ...result.value, title: 'Invitation', lead })
})

teamPages.post(`${teamPath}/withdraw`, formBody, async (c) => {
  const { id = '' } = await readForm(c)
  await withdrawInvitation(c.get('accounts'), c.get('viewer').id, id, madeBy(c))
  return c.redirect(`${teamPath}?done=withdrawn`, 303)
})

teamPages.post(`${teamPath}/role`, formBody, async (c) => {
  const result = await submitForm(c, [], async ({ id: memberId = '', ...values }) => {
    const { role } = parseFields(roleSchema, { role: values['role'] })
    await changeRole(c.get('accounts'), c.get('viewer').id, { memberId, role }, madeBy(c))
  })
  if (!result.ok) return await renderTeam(c, { failure: result.form })
  return c.redirect(`${teamPath}?done=role`, 303)
})

teamPages.post(`${teamPath}/remove`, formBody, async (c) => {
  const { id: merchantId, memberId } = c.get('viewer')
  const result = await submitForm(c, [], async ({ id = '' }) => {
    await removeMember(c.get('accounts'), merchantId, id, madeBy(c))
    return id
  })
  if (!result.ok) return await renderTeam(c, { failure: result.form })
  if (result.value !== memberId) return c.redirect(`${teamPath}?done=removed`, 303)
  forgetSession(c)
  return c.redirect('/', 303)
})

teamPages.post(`${teamPath}/reset`, formBody, async (c) => {
  const { id: memberId = '' } = await readForm(c)
  const { id: merchantId, actor } = c.get('viewer')
  const { token } = await startReset(c.get('accounts'), { merchantId, memberId }, Date.now(), actor)
  const lead = 'Within an hour, it sets a new password and signs its owner out everywhere.'
  return await renderLink(c, { page: 'reset', token, title: 'Link for a new password', lead })
})

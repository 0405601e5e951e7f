import { roles } from '../../db/schema.ts'
import { invitationDays } from '../../merchant/team/invite-member.ts'
import type { Invitation, Member } from '../../merchant/team/list-members.ts'
import type { Clock } from '../clock.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Columns } from '../parts/list.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { Heading, Notice, WhenCell } from '../parts/text.tsx'
import { MemberRow } from './member-row.tsx'
import { roleMeanings, roleNames } from './role-texts.ts'

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

export const TeamPage = ({ members, invitations, memberId, clock, form, failure, ...page }: TeamPageProps) => {
  const notice = done.get(page.done ?? '')
  return (
    <>
      <Heading title="Team" lead="People who work on the same garments, each with an own password." />
      {notice !== undefined && <Notice tone="good" title={notice} />}
      {failure !== undefined && <Summary form={failure} />}
      <section class="card flush" aria-label="Members">
        <table class="stack">
          <Columns names={['Name', 'Email', 'Role', 'Since']} hasActions />
          <tbody>
            {members.map((member) => (
              <MemberRow member={member} isSelf={member.id === memberId} clock={clock} />
            ))}
          </tbody>
        </table>
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
    <table class="stack">
      <Columns names={['For', 'Role', 'Until']} hasActions />
      <tbody>
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
      </tbody>
    </table>
  </section>
)

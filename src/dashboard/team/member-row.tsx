import { roles } from '../../db/schema.ts'
import type { Member } from '../../merchant/team/list-members.ts'
import type { Clock } from '../clock.ts'
import { WhenCell } from '../parts/text.tsx'
import { roleNames } from './role-texts.ts'

interface MemberRowProps {
  readonly member: Member
  /** Whether this is the viewer. */
  readonly isSelf: boolean
  readonly clock: Clock
}

export const MemberRow = ({ member, isSelf, clock }: MemberRowProps) => (
  <tr>
    <th scope="row">
      {member.name}
      {isSelf && <span class="hint"> (you)</span>}
    </th>
    <td data-label="Email">{member.email}</td>
    <td data-label="Role">{roleNames[member.role]}</td>
    <WhenCell label="Since" at={member.createdAt} clock={clock} />
    <td class="end">
      <details class="confirm">
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
            <p>For who has forgotten the password: a link to pass on, for an hour.</p>
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

import { Hono } from 'hono'
import { type AuditEntry, listEntries } from '../../accounts/audit.ts'
import { shortenUuids } from '../../garments/list/garment-number.ts'
import { formatCount } from '../../platform/format-count.ts'
import { Table, Pager, withQuery } from '../parts/list-parts.tsx'
import { Empty, Heading, PlainLink, WhenCell } from '../parts/elements.tsx'
import { RowAction } from '../parts/actions.tsx'
import { auditPath, garmentsPath, importUndoPath } from '../paths.ts'
import { listKeyNames } from '../../accounts/api-keys.ts'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'

const actionNames: Readonly<Record<AuditEntry['action'], string>> = {
  'member.invited': 'Invited',
  'member.withdrawn': 'Withdrew the invitation',
  'member.joined': 'Joined the team',
  'member.role': 'Changed the role',
  'member.removed': 'Removed from the team',
  'password.changed': 'Changed their password',
  'password.link': 'Created a link to reset a password',
  'password.reset': 'Reset their password by a link',
  'password.codes': 'Created recovery codes',
  'password.recovered': 'Set a new password by a recovery code',
  'key.created': 'Created the API key',
  'key.revoked': 'Revoked the API key',
  'tenant.created': 'Created the shop',
  'tenant.deleted': 'Deleted the shop',
  'member.changed': 'Changed their details',
  'tenant.changed': 'Changed the shop',
  'tenant.limits': 'Changed the limits of the shop',
  'garment.corrected': 'Corrected the garment',
  'retention.changed': 'Changed how long results are kept',
  'studio.saved': 'Saved the studio',
  'studio.removed': 'Removed the studio',
  'webhook.changed': 'Changed the webhook',
  'endpoint.created': 'Added the webhook endpoint',
  'endpoint.changed': 'Changed the webhook endpoint',
  'endpoint.deleted': 'Deleted the webhook endpoint',
  'export.defaults': "Changed the exports' defaults",
  'export.file': 'Changed the file for exports',
  'garment.changed': 'Changed the garment',
  'garments.changed': 'Changed garments',
  'garments.undone': 'Undid changes of garments',
  'garment.binned': 'Moved the garment to the bin',
  'garment.restored': 'Undid the deletion of the garment',
  'garment.deleted': 'Deleted the garment permanently',
  'import.binned': 'Moved the import to the bin',
  'import.restored': 'Undid the deletion of the import',
  'import.deleted': 'Deleted the import permanently',
}

function nameOf({ actorKind, actorId, actorName }: AuditEntry, keyNames: ReadonlyMap<string, string>): string {
  if (actorKind === 'member') return actorName
  if (actorKind === 'operator') return 'The operator of the service'
  if (actorKind === 'visitor') return 'Somebody who was not signed in'
  const name = keyNames.get(actorId)
  return name === undefined ? 'An API key that was revoked' : `API key “${name}”`
}

const pageSize = 50

export const auditPages = new Hono<DashboardEnv>()

auditPages.get(auditPath, async (c) => {
  const { id, tenant } = c.get('viewer')
  const accounts = c.get('accounts')
  const logs = [{ db: accounts, holderId: id }, ...(tenant === null ? [] : [{ db: c.get('db'), holderId: tenant.id }])]
  const cursor = c.req.query('cursor')
  const [{ rows, nextCursor }, keyNames] = await Promise.all([
    listEntries(logs, { limit: pageSize, cursor }),
    tenant === null ? new Map<string, string>() : listKeyNames(accounts, tenant.id),
  ])
  return await render(
    c,
    { title: 'Audit log', section: auditPath },
    <>
      <Heading
        title="Audit log"
        lead={
          <>
            Changes by people and API keys. The history on a garment's page shows its former values.{' '}
            <a href={withQuery(garmentsPath, { corrected: 'yes' })}>Show corrected garments</a>
          </>
        }
      />
      <section class="card flush" aria-label="Changes">
        {rows.length === 0 ? (
          <Empty title={cursor === undefined ? 'No changes yet' : 'No more changes'}>
            <p>Every change by a person or an API key appears here.</p>
            <PlainLink to={garmentsPath}>Show all garments</PlainLink>
          </Empty>
        ) : (
          <Table names={['Time', 'Who', 'What', 'Which']} hasActions>
            {rows.map((entry) => (
              <tr>
                <WhenCell label="Time" at={entry.at} />
                <td data-label="Who">{nameOf(entry, keyNames)}</td>
                <th scope="row">
                  {
                    actionNames[
                      entry.count > 1 && entry.action === 'garment.changed' ? 'garments.changed' : entry.action
                    ]
                  }
                </th>
                <td data-label="Which">
                  <span class="break">
                    {entry.count > 1 && `${formatCount(entry.count)} changes, the last: `}
                    {shortenUuids(entry.subject)}
                  </span>
                </td>
                {entry.importId === null ? (
                  <td></td>
                ) : (
                  <RowAction path={importUndoPath(entry.importId)} fields={{}} label="Undo" about={entry.subject} />
                )}
              </tr>
            ))}
          </Table>
        )}
      </section>
      <Pager path={auditPath} query={{}} isFirst={cursor === undefined} next={nextCursor} nextName="Older changes" />
    </>,
  )
})

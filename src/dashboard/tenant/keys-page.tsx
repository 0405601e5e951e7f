import type { ListedKey } from '../../api-key/list-api-keys.ts'
import { fromNow, type Clock } from '../clock.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Columns } from '../parts/list.tsx'
import { Empty, Heading, Notice, When, WhenCell } from '../parts/text.tsx'

/** Also shown in the onboarding checklist. */
export const KeyForm = ({ form }: { form: FormState }) => (
  <form method="post" action="/dashboard/keys" novalidate>
    <Summary form={form} />
    <Field form={form} name="name" label="Name" placeholder="shop backend" hint="Where the key is used." />
    <button>Create key</button>
  </form>
)

interface KeysPageProps {
  readonly keys: readonly ListedKey[]
  readonly clock: Clock
  readonly form: FormState
  readonly isRevoked: boolean
  readonly now: number
}

export const KeysPage = ({ keys, clock, form, isRevoked, now }: KeysPageProps) => (
  <>
    <Heading title="API keys" lead="Every request needs a key and your domain. Create one key per system." />
    {isRevoked && <Notice tone="good" title="The key was revoked. Requests with it are now rejected." />}
    <section class="card flush" aria-label="Live keys">
      {keys.length === 0 ? (
        <Empty title="No keys yet">
          <p>Keys appear here with the time of their last use. You can have up to 20.</p>
        </Empty>
      ) : (
        <table class="stack">
          <Columns names={['Name', 'Starts with', 'Created', 'Last used']} hasActions />
          <tbody>
            {keys.map((key) => (
              <KeyRow listed={key} clock={clock} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </section>
    <section class="card narrow" aria-labelledby="create">
      <h2 id="create">Create a key</h2>
      <KeyForm form={form} />
    </section>
  </>
)

const KeyRow = ({ listed, clock, now }: { listed: ListedKey; clock: Clock; now: number }) => {
  const { key: row, lastUsedAt } = listed
  const about = <span class="visually-hidden"> {row.name}</span>
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td data-label="Starts with">
        <code>{row.prefix}…</code>
      </td>
      <WhenCell label="Created" at={row.createdAt} clock={clock} />
      <td data-label="Last used">
        {lastUsedAt === null ? (
          'never'
        ) : (
          <>
            <When at={lastUsedAt} clock={clock} /> <span class="hint">({fromNow(lastUsedAt, now)})</span>
          </>
        )}
      </td>
      <td class="end">
        <Confirm summary={<>Revoke{about}</>} action="/dashboard/keys/revoke" fields={{ id: row.id }}>
          <p>Requests with it are rejected immediately.</p>
          <button class="bad">Revoke now{about}</button>
        </Confirm>
      </td>
    </tr>
  )
}

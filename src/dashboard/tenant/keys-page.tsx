import type { listApiKeys } from '../../api-key/list-api-keys.ts'
import { fromNow, type Clock } from '../clock.ts'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Empty, Heading, Notice, When } from '../parts/text.tsx'

type Key = Awaited<ReturnType<typeof listApiKeys>>[number]

/** Also a step of the first steps. */
export const KeyForm = ({ form }: { form: FormState }) => (
  <form method="post" action="/dashboard/keys" novalidate>
    <Summary form={form} />
    <Field form={form} name="name" label="Name" placeholder="shop backend" hint="Says where the key is used." />
    <button>Create key</button>
  </form>
)

interface KeysPageProps {
  readonly keys: readonly Key[]
  readonly clock: Clock
  readonly form: FormState
  readonly isRevoked: boolean
  readonly now: number
}

export const KeysPage = ({ keys, clock, form, isRevoked, now }: KeysPageProps) => (
  <>
    <Heading
      title="API keys"
      lead="Each request is sent with a key and your domain. Give every system a key of its own."
    />
    {isRevoked && <Notice tone="good" title="The key was revoked. Requests with it are refused from now on." />}
    <section class="card flush" aria-label="Live keys">
      {keys.length === 0 ? (
        <Empty title="No key yet">
          <p>Live keys appear here with the time they were last used. At most 20 can be live at once.</p>
        </Empty>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Begins with</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} row={key} clock={clock} now={now} />
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

const KeyRow = ({ row, clock, now }: { key: string; row: Key; clock: Clock; now: number }) => {
  const used = row.last_used_at === null ? null : Date.parse(row.last_used_at)
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td data-label="Begins with">
        <code>{row.prefix}…</code>
      </td>
      <td data-label="Created">
        <When at={Date.parse(row.created_at)} clock={clock} />
      </td>
      <td data-label="Last used">
        {used === null ? (
          'never'
        ) : (
          <>
            <When at={used} clock={clock} /> <span class="hint">({fromNow(used, now)})</span>
          </>
        )}
      </td>
      <td class="end">
        <details class="confirm">
          <summary>
            Revoke<span class="unseen"> {row.name}</span>
          </summary>
          <form method="post" action="/dashboard/keys/revoke">
            <input type="hidden" name="id" value={row.id} />
            <p>Requests with it are refused at once.</p>
            <button class="bad">
              Revoke now<span class="unseen"> {row.name}</span>
            </button>
          </form>
        </details>
      </td>
    </tr>
  )
}

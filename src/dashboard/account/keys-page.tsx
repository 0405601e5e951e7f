import { type Context, Hono } from 'hono'
import { createApiKey, listApiKeys, type ListedKey, newApiKeySchema, revokeApiKey } from '../../accounts/api-keys.ts'
import { fromNow } from '../clock.ts'
import { Confirm } from '../parts/actions.tsx'
import { Field, type FormState, PostForm } from '../parts/form-fields.tsx'
import { Table } from '../parts/list-parts.tsx'
import { ButtonLink, PlainLink, Card, Copyable, Empty, Heading, Notice, When, WhenCell } from '../parts/elements.tsx'
import { uploadCommand } from '../curl.ts'
import { openGate } from '../../accounts/tenant.ts'
import { formBody, parseFields, readForm, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, madeBy, forTenant } from '../viewer.ts'

export const KeyForm = ({ form }: { form?: FormState | undefined }) => (
  <PostForm action="/dashboard/keys" form={form} button="Create key">
    <Field name="name" label="Name" placeholder="shop backend" hint="Where the key is used." />
  </PostForm>
)

const KeyRow = ({ listed, now }: { listed: ListedKey; now: number }) => {
  const { key: row, lastUsedAt } = listed
  const about = <span class="visually-hidden"> {row.name}</span>
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td data-label="Starts with">
        <code>{row.prefix}…</code>
      </td>
      <WhenCell label="Created" at={row.createdAt} />
      <td data-label="Last used">
        {lastUsedAt === null ? (
          'never'
        ) : (
          <>
            <When at={lastUsedAt} /> <span class="hint">({fromNow(lastUsedAt, now)})</span>
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

const section = '/dashboard/keys'

export const keyPages = new Hono<DashboardEnv>()

const deps = (c: Context<DashboardEnv>) => ({
  db: c.get('accounts'),
  gate: openGate(c.env, c.get('tenant').domain),
  pictures: c.env.PICTURES,
})

async function renderKeys(c: Context<DashboardEnv>, form?: FormState) {
  const keys = await listApiKeys(deps(c), c.get('tenant'))
  const now = Date.now()
  return await render(
    c,
    { title: 'API keys', section },
    <>
      <Heading title="API keys" lead="Every request needs a key and your domain. Create one key per system." />
      <section class="card flush" aria-label="Live keys">
        {keys.length === 0 ? (
          <Empty title="No keys yet">
            <p>Keys appear here with the time of their last use. You can have up to 20.</p>
          </Empty>
        ) : (
          <Table names={['Name', 'Starts with', 'Created', 'Last used']} hasActions>
            {keys.map((key) => (
              <KeyRow listed={key} now={now} />
            ))}
          </Table>
        )}
      </section>
      <Card id="create" title="Create a key" kind="narrow">
        <KeyForm form={form} />
      </Card>
    </>,
  )
}

keyPages.get(section, forTenant, async (c) => await renderKeys(c))

/** Renders instead of redirecting, because only this response contains the key. */
keyPages.post(section, formBody, forTenant, async (c) => {
  const result = await submitForm(c, ['name'], async (values) => {
    const { name } = parseFields(newApiKeySchema, { name: values['name'] ?? '' })
    return await createApiKey(deps(c), c.get('tenant').id, name, Date.now(), c.get('viewer').actor)
  })
  if (!result.ok) return await renderKeys(c, result.form)
  const { key: apiKey, row } = result.value
  const { origin } = new URL(c.req.url)
  const { domain } = c.get('tenant')
  return await render(
    c,
    { title: 'Your new API key', section },
    <div class="narrow">
      <Heading title="Your new API key" lead={`For “${row.name}”.`} />
      <Notice tone="busy" title="Copy it now. It is shown only once.">
        <p>We do not store it. If you lose it, revoke it and create another.</p>
      </Notice>
      <section class="card" data-new-key={apiKey}>
        <Copyable text={apiKey} label="API key" wrap />
      </section>
      <Card id="try" title="Try it">
        <p>
          This uploads a sample. Replace its URL with one of your own.{' '}
          <a href="/docs/guides/first-garment#4-upload-and-get-the-result">All steps</a>
        </p>
        <Copyable text={uploadCommand({ origin, domain, apiKey })} label="upload command" />
      </Card>
      <p class="actions">
        <ButtonLink to="/dashboard">I have copied it</ButtonLink>
        <PlainLink to="/dashboard/keys">All keys</PlainLink>
      </p>
    </div>,
  )
})

keyPages.post(`${section}/revoke`, formBody, forTenant, async (c) => {
  const { id = '' } = await readForm(c)
  await revokeApiKey(deps(c), c.get('tenant').id, id, madeBy(c))
  return c.redirect(`${section}?done=revoked`, 303)
})

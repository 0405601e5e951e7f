import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { accountDatabase } from '../../db/databases/find-database.ts'
import { createApiKey } from '../../api-key/create-api-key.ts'
import { newApiKeySchema } from '../../api-key/fields.ts'
import { listApiKeys } from '../../api-key/list-api-keys.ts'
import { revokeApiKey } from '../../api-key/revoke-api-key.ts'
import { openGate } from '../../tenant/open-gate.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { KeysPage } from './keys-page.tsx'
import { NewKeyPage } from './new-key-page.tsx'

const section = '/dashboard/keys'
const title = 'API keys'
const needsTenant = withTenant(section, title, 'Create a tenant to create API keys.')

export const keyPages = new Hono<DashboardEnv>()

const deps = (c: Context<DashboardEnv>) => ({
  db: accountDatabase(c.env),
  gate: openGate(c.env, c.get('tenant').domain),
  pictures: c.env.PICTURES,
})

async function renderKeys(c: Context<DashboardEnv>, form: FormState, status: ContentfulStatusCode = 200) {
  const keys = await listApiKeys(deps(c), c.get('tenant').id)
  const isRevoked = c.req.query('done') === 'revoked'
  const page = <KeysPage keys={keys} clock={c.get('viewer').clock} form={form} isRevoked={isRevoked} now={Date.now()} />
  return await render(c, { title, section, status }, page)
}

keyPages.get(section, needsTenant, async (c) => await renderKeys(c, { values: {} }))

/** Renders instead of redirecting: the key is shown in this response only. */
keyPages.post(section, formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { name } = parseFields(newApiKeySchema, { name: values['name'] ?? '' })
    return await createApiKey(deps(c), c.get('tenant').id, name, Date.now(), c.get('viewer').actor)
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['name'])
    return await renderKeys(c, { values, problems }, result.failure.status)
  }
  const { origin } = new URL(c.req.url)
  const page = (
    <NewKeyPage
      apiKey={result.value.key}
      name={result.value.row.name}
      domain={c.get('tenant').domain}
      origin={origin}
    />
  )
  return await render(c, { title: 'Your new API key', section }, page)
})

keyPages.post(`${section}/revoke`, formBody, needsTenant, async (c) => {
  const { id = '' } = await readForm(c)
  await revokeApiKey(deps(c), c.get('tenant').id, id, madeBy(c))
  return c.redirect(`${section}?done=revoked`, 303)
})

import { databaseOf, newTenant, raw } from '../../service.ts'
import { scenario, type RequestParts, type Scenario } from '../exchange.ts'

const path = '/garment-tagging/import'
const csv = { 'Content-Type': 'text/csv' }
const file = 'uuid,image_url\na,http://127.0.0.1:9/a.jpg\nb,ftp://x\n'

const send =
  (body: string, rest: RequestParts = {}) =>
  async (): Promise<RequestParts> => ({
    body,
    ...rest,
    headers: { ...csv, ...(await newTenant()).auth, ...rest.headers },
  })

/** Creates a tenant with an import. */
async function owner() {
  const { auth } = await newTenant()
  const response = await raw('POST', path, { ...auth, ...csv }, file)
  const { data } = await response.json<{ data: { id: string } }>()
  return { auth, id: data.id }
}

export const importScenarios: Scenario[] = [
  scenario(`POST ${path}`, 200, send(file)),
  scenario(`POST ${path}`, 400, send('nothing\n')),
  scenario(`POST ${path}`, 400, send(file, { path: `${path}?name=${'x'.repeat(201)}` })),
  scenario(`POST ${path}`, 413, send('x'.repeat(9 * 1024 * 1024))),
  scenario(`POST ${path}`, 413, async () => {
    const { tenantId, auth } = await newTenant()
    await raw('POST', path, { ...auth, ...csv }, file)
    const nearlyFull = databaseOf(tenantId).$client.prepare(
      'UPDATE tenant_counters SET row_bytes = 999999 WHERE tenant_id = ?',
    )
    await nearlyFull.bind(tenantId).run()
    return { headers: { ...auth, ...csv }, body: file, env: { MAX_ROW_MEGABYTES: '1' } }
  }),
  scenario(`POST ${path}`, 415, send(file, { headers: { 'Content-Type': 'text/plain' } })),
  scenario(`POST ${path}`, 429, send(file, { env: { MAX_IMPORT_LINES: '1' } })),
  scenario(`POST ${path}`, 429, async () => {
    const { tenantId, auth } = await newTenant()
    const open = databaseOf(tenantId).$client.prepare(
      `INSERT INTO imports (tenant_id, id, name, origin, created_at, stored_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
       SELECT ?, 'i' || i, '', '', i, i FROM n`,
    )
    await open.bind(tenantId).run()
    return { headers: { ...auth, ...csv }, body: file }
  }),
  scenario(`GET ${path}`, 200, async () => {
    const { auth, id } = await owner()
    return { headers: auth, path: `${path}?id=${id}&status=refused` }
  }),
  scenario(`GET ${path}`, 400, async () => ({ headers: (await newTenant()).auth, path: `${path}?id=x` })),
  scenario(`GET ${path}`, 404, async () => ({
    headers: (await newTenant()).auth,
    path: `${path}?id=${crypto.randomUUID()}`,
  })),
  scenario(`PUT ${path}`, 200, async () => {
    const { auth, id } = await owner()
    return { headers: auth, body: { id, paused: true } }
  }),
  scenario(`PUT ${path}`, 404, async () => ({
    headers: (await newTenant()).auth,
    body: { id: crypto.randomUUID(), paused: true },
  })),
]

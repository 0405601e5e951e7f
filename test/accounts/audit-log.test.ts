import { and, eq, isNotNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { listEntries, operator } from '../../src/accounts/audit.ts'
import { putTenantLimits } from '../../src/operations/tenant-limits.ts'
import { createRecoveryCodes, recoverAccount } from '../../src/accounts/recovery-codes.ts'
import { startReset } from '../../src/accounts/links.ts'
import { toFields } from '../../src/dashboard/export-page.tsx'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { auditActions, auditEntries, imports } from '../../src/platform/db/schema.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { bindings, call, databaseOf, newMember, newMerchant, newTenant, password, raw } from '../service.ts'

const accounts = accountDatabase(bindings)
const origin = { Origin: 'http://service.test' }

/** Everything that a tenant's page of the audit log shows, oldest first: who, what, which. */
async function logOf(merchantId: string, tenantId: string) {
  const logs = [
    { db: accounts, holderId: merchantId },
    { db: databaseOf(tenantId), holderId: tenantId },
  ]
  const { rows } = await listEntries(logs, { limit: 100 })
  return rows.map(({ actorKind, actorName, action, subject }) => [actorName || actorKind, action, subject]).reverse()
}

const post = async (path: string, session: Record<string, string>, fields: Record<string, string>) => {
  const response = await raw('POST', path, { ...origin, ...session }, new URLSearchParams(fields))
  expect([path, response.status < 400]).toEqual([path, true])
  return await response.text()
}

const linkIn = (html: string) => /token=([\w-]+)/.exec(html)?.[1] ?? ''

/** By the API, which records it. */
async function createTenant() {
  const merchant = await newMerchant()
  const domain = `${merchant.id}.example`
  const tenant = await call('POST', '/merchant/tenant', merchant.bearer, { name: 'Shop', domain })
  const key = await call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'test' })
  const { id: keyId, api_key: apiKey } = key.body.data as { id: string; api_key: string }
  const tenantId = tenant.body.data.id as string
  return { merchant, tenantId, domain, keyId, auth: { 'API-KEY': apiKey, DOMAIN: domain } }
}

it('the log has every kind of change, with who made it and what it was', async () => {
  const { merchant, tenantId, auth, domain, keyId } = await createTenant()
  const session = await sessionOf(merchant.id)
  // Today, because another file's sweep removes what has expired.
  const createdAt = Date.now()
  await insertGarment(tenantId, 'by-key', { createdAt })
  await insertGarment(tenantId, 'by-ann', { createdAt })
  const importId = crypto.randomUUID()
  await databaseOf(tenantId).insert(imports).values({
    tenantId,
    id: importId,
    name: 'stock.csv',
    origin: '',
    createdAt,
    storedAt: createdAt,
    endedAt: createdAt,
  })

  const url = 'http://127.0.0.1:9/hook'
  await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url })
  const added = await call('POST', '/garment-tagging/webhook/endpoints', auth, { url: `${url}/2` })
  const endpoint = `/garment-tagging/webhook/endpoints/${added.body.data.id}`
  await call('PATCH', endpoint, auth, { description: 'Search' })
  await call('DELETE', endpoint, auth)
  await call('DELETE', '/garment-tagging/garment?uuid=by-key', auth)
  await post('/dashboard/edit', session, { 'attribute.Price': '12', 'select.by-ann': 'yes' })
  await post('/dashboard/garment?uuid=by-ann', session, { 'tag.Colour': 'Black' })
  await post('/dashboard/garment?uuid=by-ann', session, { 'attribute.Size': 'M' })
  await post('/dashboard/imports', session, { csv: 'uuid,Price\nby-ann,9\n' })
  const edited = async () =>
    await databaseOf(tenantId)
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.holderId, tenantId), isNotNull(auditEntries.importId)))
      .orderBy(auditEntries.at)
  await expect.poll(async () => (await edited()).length).toBe(2)
  await post(`/dashboard/import/${(await edited())[1]?.importId}/undo`, session, {})
  const garment = { 'select.by-ann': 'yes' }
  const whole = { kind: 'imports', [`select.${importId}`]: 'yes' }
  await post('/dashboard/garment/delete?uuid=by-ann', session, {})
  await post('/dashboard/bin/restore', session, garment)
  await post('/dashboard/garments/delete', session, garment)
  await post('/dashboard/bin/erase', session, garment)
  await post(`/dashboard/import/${importId}/delete`, session, {})
  await post('/dashboard/bin/restore', session, whole)
  await post('/dashboard/imports/delete', session, { [`select.${importId}`]: 'yes' })
  await post('/dashboard/bin/erase', session, whole)
  await post('/dashboard/tenant/settings', session, {
    name: 'Shop',
    'settings.timezone': 'UTC',
    'settings.currency': 'EUR',
  })
  await post('/dashboard/account/details', session, { name: 'Ann', email: merchant.email, current: password })
  await post('/dashboard/tenant/studios', session, { studio_name: 'A', cm_per_pixel: '0,05' })
  await post('/dashboard/tenant/studios/remove', session, { name: 'A' })
  await post('/dashboard/tenant/retention', session, { retention_days: '30' })
  await post('/dashboard/export/defaults', session, {
    ...toFields({ ...parseExportDefaults(null, 'EUR'), brand: 'Ann' }),
  })

  await post('/dashboard/export/columns', session, { name: 'Own', 'column.0': 'Name', 'value.0': 'Title' })

  expect(await logOf(merchant.id, tenantId)).toEqual([
    ['Ann', 'tenant.created', domain],
    ['Ann', 'key.created', expect.stringMatching(/^test \(gt_\w{6}…\)$/)],
    ['api-key', 'webhook.changed', url],
    ['api-key', 'endpoint.created', `${url}/2`],
    ['api-key', 'endpoint.changed', `${url}/2`],
    ['api-key', 'endpoint.deleted', `${url}/2`],
    ['api-key', 'garment.deleted', 'by-key'],
    ['Ann', 'garments.changed', 'Price of 1 garment'],
    ['Ann', 'garment.corrected', 'by-ann: Colour: Navy → Black'],
    ['Ann', 'garment.changed', 'by-ann: Size: M, added'],
    ['Ann', 'garments.changed', expect.stringMatching(/^Price \(.+\)$/)],
    ['Ann', 'garments.undone', 'Pasted lines'],
    ['Ann', 'garment.binned', 'by-ann'],
    ['Ann', 'garment.restored', 'by-ann'],
    ['Ann', 'garment.deleted', 'by-ann'],
    ['Ann', 'import.binned', 'stock.csv'],
    ['Ann', 'import.restored', 'stock.csv'],
    ['Ann', 'import.deleted', 'stock.csv'],
    ['Ann', 'tenant.changed', 'Shop'],
    ['Ann', 'member.changed', `Ann, ${merchant.email}`],
    ['Ann', 'studio.saved', 'A: 0.05 cm per pixel'],
    ['Ann', 'studio.removed', 'A'],
    ['Ann', 'retention.changed', '30 days'],
    ['Ann', 'export.defaults', ''],
    ['Ann', 'export.file', 'Own'],
  ])

  const join = linkIn(await post('/dashboard/team/invite', session, { role: 'editor', label: 'Bob' }))
  await post('/dashboard/team/invite', session, { role: 'reviewer', label: 'Cid' })
  const withdrawn = /team\/withdraw"[^]*?name="id" value="([^"]+)"/g
  const team = await (await raw('GET', '/dashboard/team', session)).text()
  await post('/dashboard/team/withdraw', session, { id: [...team.matchAll(withdrawn)].at(-1)?.[1] ?? '' })
  const email = `${crypto.randomUUID()}@example.com`
  await post('/dashboard/join', {}, { token: join, name: 'Bob', email, password })
  const bob = await newMember(merchant.id, 'editor')
  await post('/dashboard/team/role', session, { id: bob.id, role: 'reviewer' })
  const reset = linkIn(await post('/dashboard/team/reset', session, { id: bob.id }))
  await post('/dashboard/reset', {}, { token: reset, password: 'a newer password' })
  await startReset(accounts, { email }, Date.now(), operator)
  await putTenantLimits(bindings, { tenant: tenantId, rate_limit_per_minute: null, max_files: 7 }, Date.now())
  await post('/dashboard/team/remove', session, { id: bob.id })
  await post('/dashboard/keys/revoke', session, { id: keyId })
  await post('/dashboard/tenant/delete', session, { confirmation: 'Shop', password })
  await call('PUT', '/merchant/password', merchant.bearer, { password, new_password: 'a newer password' })
  const owner = { email: merchant.email, address: '192.0.2.90' }
  const ann = { kind: 'member', id: merchant.id, name: 'Ann' } as const
  const credentials = { ...owner, password: 'a newer password' }
  const [code = ''] = await createRecoveryCodes(bindings, merchant.id, credentials, Date.now(), ann)
  await recoverAccount(bindings, { ...owner, code, newPassword: password }, Date.now())

  const later = (await logOf(merchant.id, tenantId)).slice(25)
  expect(later).toEqual([
    ['Ann', 'member.invited', 'Bob: editor'],
    ['Ann', 'member.invited', 'Cid: reviewer'],
    ['Ann', 'member.withdrawn', 'Cid'],
    ['Bob', 'member.joined', email],
    ['Ann', 'member.role', `${bob.email}: reviewer`],
    ['Ann', 'password.link', bob.email],
    [bob.name, 'password.reset', ''],
    ['operator', 'password.link', email],
    ['operator', 'tenant.limits', 'rate_limit_per_minute: service-wide, max_files: 7'],
    ['Ann', 'member.removed', bob.email],
    ['Ann', 'key.revoked', expect.stringMatching(/^test \(gt_\w{6}…\)$/)],
    ['Ann', 'tenant.deleted', domain],
    ['Ann', 'password.changed', ''],
    ['Ann', 'password.codes', merchant.email],
    ['Ann', 'password.recovered', merchant.email],
  ])
  const seen = new Set([...(await logOf(merchant.id, tenantId))].map(([, action]) => action))
  expect(auditActions.filter((action) => !seen.has(action))).toEqual([])
})

it('what changes nothing is not in the log', async () => {
  const { merchant, tenantId, auth } = await newTenant()
  const session = await sessionOf(merchant.id)
  const before = await logOf(merchant.id, tenantId)
  const send = async (path: string, fields: Record<string, string>) =>
    (await raw('POST', path, { ...origin, ...session }, new URLSearchParams(fields))).status
  expect(await send('/dashboard/tenant/studios/remove', { name: 'none' })).toBe(404)
  expect(await send('/dashboard/keys/revoke', { id: 'none' })).toBe(404)
  expect(await send('/dashboard/team/remove', { id: merchant.id })).toBe(409)
  expect(await send('/dashboard/team/role', { id: merchant.id, role: 'editor' })).toBe(409)
  expect(await send('/dashboard/team/withdraw', { id: 'none' })).toBe(303)
  expect(await send('/dashboard/team/reset', { id: 'none' })).toBe(404)
  expect((await call('DELETE', '/garment-tagging/garment?uuid=none', auth)).status).toBe(404)
  expect(await logOf(merchant.id, tenantId)).toEqual(before)
})

it('the page names who it was, also a key that is revoked, and shows no other account', async () => {
  const [{ merchant, auth, keyId }, stranger] = [await newTenant(), await newTenant()]
  await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url: 'http://127.0.0.1:9/mine' })
  const page = async (id: string) => await (await raw('GET', '/dashboard/audit', await sessionOf(id))).text()
  expect(await page(merchant.id)).toContain('API key “test”')
  await call('DELETE', `/merchant/tenant/api-key/${keyId}`, merchant.bearer)
  expect(await page(merchant.id)).toContain('An API key that was revoked')
  expect(await page(stranger.merchant.id)).not.toContain('127.0.0.1:9/mine')
})

import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase, getDatabase } from '../../src/db/databases/find-database.ts'
import { newTenantId } from '../../src/db/databases/database-number.ts'
import {
  accountEndpoint,
  accountEvents,
  apiKeys,
  deliveries,
  garments,
  hostedTenants,
  members,
  merchants,
  storedFiles,
  tenantPurges,
  tenants,
  unusedPictures,
  webhookEndpoints,
} from '../../src/db/schema.ts'
import { comparePictures, type PicturePage } from '../../src/local/compare-pictures.ts'
import { newMerchant } from '../service.ts'
import { newTenantIn, request, threeDatabases } from '../db/three-databases.ts'

const token = 'an operator token for tests, long enough'
const env = { ...threeDatabases, OPERATOR_TOKEN: token } as Env
const authorized = { Authorization: `Bearer ${token}` }
const accounts = accountDatabase(env)
const longAgo = Date.now() - 24 * 3600_000

/** Goes through the steps until `isEnough` of the next cursor. */
async function restore(database: number, isEnough: (cursor: string) => boolean = () => false) {
  const sum = { deleted: 0, hosted: 0 }
  let cursor: string | undefined
  do {
    const { status, body } = await request(env, 'POST', '/operator/restore', authorized, { database, cursor })
    expect(status).toBe(200)
    sum.deleted += body.data.deleted as number
    sum.hosted += body.data.hosted as number
    cursor = (body.data.cursor as string | null) ?? undefined
  } while (cursor !== undefined && !isEnough(cursor))
  return sum
}

const idsIn = async (table: typeof merchants | typeof tenants | typeof apiKeys, ids: readonly string[]) =>
  (
    await accounts
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
  ).map(({ id }) => id)

const isHosted = async (number: number, tenantId: string) =>
  (await getDatabase(env, number).select().from(hostedTenants).where(eq(hostedTenants.tenantId, tenantId))).length > 0

const isPurged = async (tenantId: string) =>
  (await accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))).length > 0

describe('after a restore', () => {
  it('of the accounts, those that were deleted since are deleted again, and no others', async () => {
    const [gone, other] = [await newTenantIn(2), await newTenantIn(2)]
    const of = { tenant: eq(tenants.id, gone.tenantId), merchant: eq(merchants.id, gone.merchant.id) }
    const ofTeam = eq(members.merchantId, gone.merchant.id)
    const [merchant] = await accounts.select().from(merchants).where(of.merchant)
    const [tenant] = await accounts.select().from(tenants).where(of.tenant)
    const [key] = await accounts.select().from(apiKeys).where(eq(apiKeys.tenantId, gone.tenantId))
    const [otherKey] = await accounts.select().from(apiKeys).where(eq(apiKeys.tenantId, other.tenantId))
    if (merchant === undefined || tenant === undefined || key === undefined || otherKey === undefined) throw new Error()
    for (const path of [`/merchant/tenant/api-key/${key.id}`, '/merchant/tenant', '/merchant'])
      expect((await request(env, 'DELETE', path, gone.merchant.bearer)).status).toBe(200)
    // As Time Travel brings them back; a trigger stores the merchant's member.
    await accounts.insert(merchants).values(merchant)
    await accounts.insert(tenants).values(tenant)
    await accounts.insert(apiKeys).values(key)
    await accounts.delete(tenantPurges).where(eq(tenantPurges.tenantId, tenant.id))
    await restore(1, (cursor) => cursor.startsWith('unconfirm'))
    expect(await idsIn(tenants, [tenant.id, other.tenantId])).toEqual([other.tenantId])
    expect(await idsIn(merchants, [merchant.id, other.merchant.id])).toEqual([other.merchant.id])
    expect(await accounts.select().from(members).where(ofTeam)).toEqual([])
    expect(await idsIn(apiKeys, [key.id, otherKey.id])).toEqual([otherKey.id])
    expect(await isPurged(tenant.id)).toBe(true)
  })

  it('of the accounts, nothing of a deleted account stays, so that its webhook is not called again', async () => {
    const [gone, other] = [await newMerchant(), await newMerchant()]
    const [row] = await accounts.select().from(merchants).where(eq(merchants.id, gone.id))
    if (row === undefined) throw new Error()
    expect((await request(env, 'DELETE', '/merchant', gone.bearer)).status).toBe(200)
    await accounts.insert(merchants).values(row)
    for (const { id } of [gone, other]) {
      const webhook = { endpoint: accountEndpoint, enabled: true, url: 'https://hooks.example', headers: '' }
      await accounts.insert(webhookEndpoints).values({ tenantId: id, ...webhook, updatedAt: longAgo })
      const pending = { status: 'pending', slot: accountEndpoint, endpoint: accountEndpoint, dueAt: 1 } as const
      const sent = { ...pending, id, tenantId: id, garmentUuid: 'event', createdAt: longAgo, updatedAt: longAgo }
      await accounts.insert(deliveries).values(sent)
      await accounts.insert(accountEvents).values({ merchantId: id, id: 'event', event: 'e', data: '{}', at: longAgo })
    }
    await restore(1, (cursor) => cursor.startsWith('unconfirm'))
    for (const [table, column] of [
      [webhookEndpoints, webhookEndpoints.tenantId],
      [deliveries, deliveries.tenantId],
      [accountEvents, accountEvents.merchantId],
    ] as const) {
      const holders = await accounts
        .select({ id: column })
        .from(table)
        .where(inArray(column, [gone.id, other.id]))
      expect(holders).toEqual([{ id: other.id }])
    }
  })

  it('of the accounts, revoked keys that were used meanwhile are refused at once', async () => {
    const [ofRevoked, ofTenant] = [await newTenantIn(2), await newTenantIn(2)]
    const statusOf = async ({ auth }: typeof ofRevoked) => (await request(env, 'GET', '/query?uuid=none', auth)).status
    const keysOf = {
      revoked: eq(apiKeys.tenantId, ofRevoked.tenantId),
      tenant: eq(apiKeys.tenantId, ofTenant.tenantId),
    }
    const [key] = await accounts.select().from(apiKeys).where(keysOf.revoked)
    const [otherKey] = await accounts.select().from(apiKeys).where(keysOf.tenant)
    const [tenant] = await accounts.select().from(tenants).where(eq(tenants.id, ofTenant.tenantId))
    if (key === undefined || otherKey === undefined || tenant === undefined) throw new Error()
    const revoke = `/merchant/tenant/api-key/${key.id}`
    expect((await request(env, 'DELETE', revoke, ofRevoked.merchant.bearer)).status).toBe(200)
    expect((await request(env, 'DELETE', '/merchant/tenant', ofTenant.merchant.bearer)).status).toBe(200)
    await accounts.insert(tenants).values(tenant)
    await accounts.insert(apiKeys).values([key, otherKey]).onConflictDoNothing()
    expect([await statusOf(ofRevoked), await statusOf(ofTenant)]).not.toContain(401)
    await restore(1, (cursor) => cursor.startsWith('unconfirm'))
    expect([await statusOf(ofRevoked), await statusOf(ofTenant)]).toEqual([401, 401])
  })

  it('of another database, tenants without an account are purged, and those without a row get it', async () => {
    const [kept, young] = [await newTenantIn(2), await newTenantIn(2)]
    const db = getDatabase(env, 2)
    const revived = newTenantId(2)
    await db.insert(hostedTenants).values({ tenantId: revived, createdAt: longAgo, isConfirmed: true })
    await db.delete(hostedTenants).where(eq(hostedTenants.tenantId, young.tenantId))
    // Other tests may have some, too.
    const { deleted, hosted } = await restore(2)
    expect([deleted > 0, hosted > 0]).toEqual([true, true])
    for (let times = 1; times <= 2; times++) {
      expect([await isHosted(2, revived), await isPurged(revived)]).toEqual([false, true])
      expect([await isHosted(2, kept.tenantId), await isHosted(2, young.tenantId)]).toEqual([true, true])
      await restore(2)
    }
  })

  it('pictures without a row and rows without a picture are found', async () => {
    const { tenantId } = await newTenantIn(3)
    const stranger = newTenantId(2)
    const db = getDatabase(env, 3)
    const row = { tenantId, attribute: '{}', origin: '', createdAt: longAgo }
    const file = (id: string) => `upload:${id.padEnd(36, '-')}/digest/name.jpg`
    const garment = (uuid: string, pictureId: string, imageUrl = '') => ({ ...row, uuid, pictureId, imageUrl })
    const ended = { status: 'complete', endedAt: longAgo } as const
    await db.insert(garments).values([
      { ...garment('well', 'there'), ...ended },
      { ...garment('bare', 'missing', file('lost')), ...ended },
      { ...garment('young', 'on-its-way'), status: 'complete', endedAt: Date.now() + 3600_000 },
      { ...garment('waiting', 'later', file('sent')), status: 'queuing', dueAt: 1 },
    ])
    await db.insert(storedFiles).values({ tenantId, pictureId: 'imported', bytes: 1 })
    await db.insert(unusedPictures).values({ tenantId, pictureId: 'replaced', removeAt: 0 })
    const keys = [
      `annotated/${tenantId}/there`,
      `annotated/${tenantId}/there.small`,
      `annotated/${tenantId}/replaced`,
      `annotated/${tenantId}/replaced.small`,
      `annotated/${tenantId}/orphan`,
      `annotated/${tenantId}/orphan.small`,
      `annotated/${stranger}/of-another-database`,
      `uploaded/${tenantId}/${'sent'.padEnd(36, '-')}`,
      `uploaded/${tenantId}/imported`,
      `uploaded/${tenantId}/left`,
    ]
    await Promise.all(keys.map(async (key) => await env.PICTURES.put(key, 'x')))
    async function* pages(before: Date): AsyncGenerator<PicturePage> {
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = new URLSearchParams({ database: '3', before: before.toISOString() })
        if (cursor !== '') query.set('cursor', cursor)
        const { body } = await request(env, 'GET', `/operator/pictures?${query.toString()}`, authorized)
        yield body.data as PicturePage
        cursor = body.data.cursor as string | null
      }
    }
    const mine = (found: readonly string[]) => found.filter((key) => key.includes(tenantId)).sort()
    // What was stored just now is not older than `before` otherwise.
    const found = await comparePictures(pages(new Date(Date.now() + 60_000)))
    expect(mine(found.picturesWithoutRow)).toEqual([
      `annotated/${tenantId}/orphan`,
      `annotated/${tenantId}/orphan.small`,
      `uploaded/${tenantId}/left`,
    ])
    expect(mine(found.rowsWithoutPicture)).toEqual([
      `annotated/${tenantId}/missing`,
      `uploaded/${tenantId}/${'lost'.padEnd(36, '-')}`,
    ])
    expect(found.picturesWithoutRow.filter((key) => key.includes(stranger))).toEqual([])
    expect(mine((await comparePictures(pages(new Date(longAgo)))).picturesWithoutRow)).toEqual([])
  })

  it.each([
    [{ database: 9 }, 'database'],
    [{ database: 0 }, 'database'],
    [{ database: 1, cursor: 'elsewhere:' }, 'cursor'],
  ])('a request for a step with %j is refused', async (fields, problem) => {
    const posted = await request(env, 'POST', '/operator/restore', authorized, fields)
    const query = new URLSearchParams({ before: new Date().toISOString() })
    for (const [name, value] of Object.entries(fields)) query.set(name, String(value))
    const listed = await request(env, 'GET', `/operator/pictures?${query.toString()}`, authorized)
    for (const { status, body } of [posted, listed]) {
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain(problem)
    }
  })
})

import { taggingDelivery } from '../support/tagging-delivery.ts'
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase, getDatabase } from '../../src/platform/db/databases.ts'
import {
  apiKeys,
  deliveries,
  garments,
  invitations,
  members,
  merchants,
  passwordResets,
  tenantPurges,
  tenants,
  tenantState,
} from '../../src/platform/db/schema.ts'
import { binGarment } from '../../src/garments/delete-garment.ts'
import { eraseGarments, binQuery } from '../../src/garments/bin.ts'
import { repeatDeletions } from '../../src/operations/repeat-deletions.ts'
import { dayMs } from '../../src/time.ts'
import { forgetOldDeletions } from '../../src/platform/deletions.ts'
import { bindings, newMerchant, password, someone } from '../service.ts'
import { newTenantIn, request, threeDatabases } from '../platform/db/three-databases.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const env = threeDatabases
const accounts = accountDatabase(env)
const longAgo = Date.now() - dayMs

/** Repeats what was deleted since the tests began, as after a restore to that moment. */
async function restore(database: number) {
  let cursor: string | undefined
  do {
    const { nextCursor } = await repeatDeletions(env, { database, fromMs: Date.now(), cursor }, Date.now())
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

const idsIn = async (table: typeof merchants | typeof tenants | typeof apiKeys, ids: readonly string[]) =>
  (
    await accounts
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
  ).map(({ id }) => id)

const isHosted = async (number: number, tenantId: string) =>
  (await getDatabase(env, number).select().from(tenantState).where(eq(tenantState.tenantId, tenantId))).length > 0

const isPurged = async (tenantId: string) =>
  (await accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))).length > 0

it('names of deletions are kept for 31 days', async () => {
  const now = Date.UTC(2020, 5, 1)
  const names = (at: number) => `deleted/${new Date(at).toISOString()}/tenant/${crypto.randomUUID()}`
  const [old, young] = [names(now - 31 * dayMs - 1), names(now - 31 * dayMs)]
  for (const name of [old, young]) await bindings.PICTURES.put(name, '')
  await forgetOldDeletions(bindings.PICTURES, now)
  expect(await bindings.PICTURES.head(old)).toBe(null)
  expect(await bindings.PICTURES.head(young)).not.toBe(null)
  await bindings.PICTURES.delete(young)
})

describe('after a restore', () => {
  it('of the accounts, those that were deleted since are deleted again, and no others', async () => {
    const [gone, other] = [await newTenantIn(2), await newTenantIn(2)]
    const of = { tenant: eq(tenants.id, gone.tenantId), merchant: eq(merchants.id, gone.merchant.id) }
    const ofTeam = eq(members.merchantId, gone.merchant.id)
    const [merchant] = await accounts.select().from(merchants).where(of.merchant)
    const team = await accounts.select().from(members).where(ofTeam)
    const [tenant] = await accounts.select().from(tenants).where(of.tenant)
    const [key] = await accounts.select().from(apiKeys).where(eq(apiKeys.tenantId, gone.tenantId))
    const [otherKey] = await accounts.select().from(apiKeys).where(eq(apiKeys.tenantId, other.tenantId))
    if (merchant === undefined || tenant === undefined || key === undefined || otherKey === undefined) throw new Error()
    for (const path of [`/merchant/tenant/api-key/${key.id}`, '/merchant/tenant', '/merchant'])
      expect((await request(env, 'DELETE', path, gone.merchant.bearer)).status).toBe(200)
    // As Time Travel brings them back.
    await accounts.insert(merchants).values(merchant)
    await accounts.insert(members).values(team)
    await accounts.insert(tenants).values(tenant)
    await accounts.insert(apiKeys).values(key)
    await accounts.delete(tenantPurges).where(eq(tenantPurges.tenantId, tenant.id))
    await restore(1)
    expect(await idsIn(tenants, [tenant.id, other.tenantId])).toEqual([other.tenantId])
    expect(await idsIn(merchants, [merchant.id, other.merchant.id])).toEqual([other.merchant.id])
    expect(await accounts.select().from(members).where(ofTeam)).toEqual([])
    expect(await idsIn(apiKeys, [key.id, otherKey.id])).toEqual([otherKey.id])
    expect(await isPurged(tenant.id)).toBe(true)
  })

  it('of the accounts, revoked keys that were used meanwhile are refused at once', async () => {
    const [ofRevoked, ofTenant] = [await newTenantIn(2), await newTenantIn(2)]
    const statusOf = async ({ auth }: typeof ofRevoked) =>
      (await request(env, 'GET', '/garment-tagging/query?uuid=none', auth)).status
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
    expect([await statusOf(ofRevoked), await statusOf(ofTenant)]).toEqual([404, 404])
    await restore(1)
    expect([await statusOf(ofRevoked), await statusOf(ofTenant)]).toEqual([401, 401])
  })

  it('of the accounts, everybody signs in again and asks for new links', async () => {
    const { id, email, bearer } = await newMerchant()
    const signIn = async () => await request(env, 'POST', '/merchant/sign-in', {}, { email, password })
    const isValid = async (headers: Record<string, string>) =>
      (await request(env, 'GET', '/merchant/tenant', headers)).status !== 401
    // As if the password had been changed several times since, and what was issued in between had leaked.
    const setVersion = async (sessionVersion: number) =>
      await accounts.update(members).set({ sessionVersion }).where(eq(members.id, id))
    await setVersion(1)
    const between = { Authorization: `Bearer ${(await signIn()).body.data.token}` }
    await setVersion(0)
    expect([await isValid(bearer), await isValid(between)]).toEqual([true, false])
    const link = { hash: id, expiresAt: Date.now() + 3600_000 }
    await accounts.insert(passwordResets).values({ memberId: id, ...link })
    await accounts.insert(invitations).values({ id, merchantId: id, role: 'owner', label: '', ...link })
    const linksOf = async () => [
      ...(await accounts.select().from(passwordResets).where(eq(passwordResets.memberId, id))),
      ...(await accounts.select().from(invitations).where(eq(invitations.merchantId, id))),
    ]
    await restore(2)
    expect([await isValid(bearer), (await linksOf()).length]).toEqual([true, 2])
    for (let times = 1; times <= 2; times++) {
      await restore(1)
      expect([await isValid(bearer), await isValid(between), await linksOf()]).toEqual([false, false, []])
    }
    const again = { Authorization: `Bearer ${(await signIn()).body.data.token}` }
    expect(await isValid(again)).toBe(true)
  })

  it('of another database, deleted tenants are purged again, and those without a row get it', async () => {
    const [gone, kept, young] = [await newTenantIn(2), await newTenantIn(2), await newTenantIn(2)]
    const db = getDatabase(env, 2)
    expect((await request(env, 'DELETE', '/merchant/tenant', gone.merchant.bearer)).status).toBe(200)
    await accounts.delete(tenantPurges).where(eq(tenantPurges.tenantId, gone.tenantId))
    await db.insert(tenantState).values({ tenantId: gone.tenantId, domain: 'shop.example', createdAt: longAgo })
    await db.delete(tenantState).where(eq(tenantState.tenantId, young.tenantId))
    for (let times = 1; times <= 2; times++) {
      await restore(2)
      expect([await isHosted(2, gone.tenantId), await isPurged(gone.tenantId)]).toEqual([false, true])
      expect([await isHosted(2, kept.tenantId), await isHosted(2, young.tenantId)]).toEqual([true, true])
    }
  })

  it('deleted garments are deleted again with their deliveries, but not those that were uploaded since', async () => {
    const { tenantId, auth } = await newTenantIn(2)
    const db = getDatabase(env, 2)
    const uuids = ['gone/1', 'kept', 'uploaded again']
    const store = async (uuid: string, createdAt: number) =>
      await insertGarments(db, 1, () => ({ tenantId, uuid, createdAt, endedAt: longAgo }))
    for (const uuid of uuids) await store(uuid, longAgo)
    for (const uuid of ['gone/1', 'uploaded again']) {
      const path = `/garment-tagging/garment?uuid=${encodeURIComponent(uuid)}`
      expect((await request(env, 'DELETE', path, auth)).status).toBe(200)
    }
    await store('gone/1', longAgo)
    await store('uploaded again', Date.now() + 1)
    for (const uuid of ['binned', 'erased', 'kept in the bin']) await store(uuid, longAgo)
    const deps = { db, pictures: env.PICTURES, taggingQueue: env.TAGGING_QUEUE, webhookQueue: env.WEBHOOK_QUEUE }
    for (const uuid of ['binned', 'erased', 'kept in the bin'])
      await binGarment(deps, tenantId, uuid, Date.now(), someone)
    await eraseGarments(deps, tenantId, ['binned', 'erased'], Date.now(), someone)
    // The restored database has one in the bin again, and one where it was before.
    await store('binned', longAgo)
    await binGarment(deps, tenantId, 'binned', Date.now(), someone)
    await store('erased', longAgo)
    const ofGone = {
      ...taggingDelivery,
      tenantId,
      garmentUuid: 'gone/1',
      status: 'pending',
      dueAt: 1,
      createdAt: 1,
      updatedAt: 1,
    } as const
    await db.insert(deliveries).values({ ...ofGone, id: crypto.randomUUID() })
    for (let times = 1; times <= 2; times++) {
      await restore(2)
      const found = await db.select().from(garments).where(eq(garments.tenantId, tenantId))
      expect(found.map(({ uuid }) => uuid).sort()).toEqual(['kept', 'uploaded again'])
      const rows = await binQuery(db, tenantId, { limit: 10, nowMs: Date.now() })
      expect(rows.map(({ uuid }) => uuid)).toEqual(['kept in the bin'])
      expect(await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))).toEqual([])
    }
  })
})

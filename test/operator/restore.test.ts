import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase, getDatabase } from '../../src/db/databases/find-database.ts'
import { newTenantId } from '../../src/db/databases/database-number.ts'
import {
  accountEndpoint,
  accountEvents,
  apiKeys,
  deliveries,
  tenantState,
  invitations,
  members,
  merchants,
  passwordResets,
  tenantPurges,
  tenants,
  webhookEndpoints,
} from '../../src/db/schema.ts'
import { permissionQuery } from '../../src/second-opinion/permission.ts'
import { newMerchant, password } from '../service.ts'
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
  (await getDatabase(env, number).select().from(tenantState).where(eq(tenantState.tenantId, tenantId))).length > 0

const isPurged = async (tenantId: string) =>
  (await accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))).length > 0

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
    await restore(1, (cursor) => cursor.startsWith('unconfirm'))
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
      await restore(1, (cursor) => cursor.startsWith('tenant'))
      expect([await isValid(bearer), await isValid(between), await linksOf()]).toEqual([false, false, []])
    }
    const again = { Authorization: `Bearer ${(await signIn()).body.data.token}` }
    expect(await isValid(again)).toBe(true)
  })

  it('of another database, tenants without an account are purged, and those without a row get it', async () => {
    const [kept, young] = [await newTenantIn(2), await newTenantIn(2)]
    const db = getDatabase(env, 2)
    const revived = newTenantId(2)
    await db.insert(tenantState).values({ tenantId: revived, createdAt: longAgo, isConfirmed: true })
    await db.delete(tenantState).where(eq(tenantState.tenantId, young.tenantId))
    // Other tests may have some, too.
    const { deleted, hosted } = await restore(2)
    expect([deleted > 0, hosted > 0]).toEqual([true, true])
    for (let times = 1; times <= 2; times++) {
      expect([await isHosted(2, revived), await isPurged(revived)]).toEqual([false, true])
      expect([await isHosted(2, kept.tenantId), await isHosted(2, young.tenantId)]).toEqual([true, true])
      await restore(2)
    }
  })

  it('of another database, a tenant whose row was lost has to allow second opinions again', async () => {
    const [kept, young] = [await newTenantIn(2), await newTenantIn(2)]
    const db = getDatabase(env, 2)
    await db.delete(tenantState).where(eq(tenantState.tenantId, young.tenantId))
    await restore(2)
    const allows = async ({ tenantId }: typeof kept) => (await permissionQuery(db, tenantId))[0]?.allows
    expect([await allows(kept), await allows(young)]).toEqual([true, false])
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

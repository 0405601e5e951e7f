import { createExecutionContext } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { openDatabase } from '../../src/db/client.ts'
import { newTenantId } from '../../src/db/databases/database-number.ts'
import { tenants } from '../../src/db/schema.ts'
import { addToDay, findSpent } from '../../src/second-opinion/days.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, newMember, newTenant } from '../service.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { answerTo, countsOn, giveAccount, newMonth, newSecondOpinion, standIn } from './stand-in.ts'

const db = openDatabase(bindings.DB)

/** A question costs a dollar, and a tenant may spend 2.5 of 10. */
const dear = { SECOND_OPINION_PRICE_DOLLARS: 1e6 / 1500, SECOND_OPINION_BUDGET_DOLLARS: 10 }

const newIsolate = (nowMs?: number) => {
  const { binding, inputs } = standIn(async (input) => answerTo(input))
  return { inputs, ...newSecondOpinion(binding, dear, nowMs) }
}

const batch = async ({ askFor, flush }: ReturnType<typeof newIsolate>, tenantId: string) => {
  const answer = await askFor(tenantId)
  await flush()
  return answer !== undefined
}

describe("a tenant's share of the budget", () => {
  // With several databases, each of them is in another one.
  it('is all that it can spend, and others are still asked for', async () => {
    const isolate = newIsolate()
    const made = [await newTenant(), await newTenant(), await newTenant()]
    for (const { tenantId } of made) {
      const answered = []
      for (let i = 0; i < 4; i++) answered.push(await batch(isolate, tenantId))
      expect(answered).toEqual([true, true, false, false])
    }
    expect(await countsOn(isolate.clock.now)).toEqual({ answered: 6, skipped: 6 })
  })

  it('holds within a batch, and over isolates, which hear of each other after each batch', async () => {
    const nowMs = newMonth()
    const [one, other] = [newIsolate(nowMs), newIsolate(nowMs)]
    const { tenantId } = await newTenant()
    for (let i = 0; i < 4; i++) await one.askFor(tenantId)
    expect(one.inputs.length).toBe(2)
    await one.flush()
    expect(await batch(other, tenantId)).toBe(false)
    expect(other.inputs.length).toBe(0)
  })

  it('ends with the budget, however little the tenant has spent', async () => {
    const isolate = newIsolate()
    const spent = { outcome: 'answered' as const, count: 1, tokens: 1500, dollars: 9.5 }
    await addToDay(db, [spent], new Map(), isolate.clock.now)
    expect(await batch(isolate, (await newTenant()).tenantId)).toBe(false)
  })

  it('starts again with the next month', async () => {
    const isolate = newIsolate()
    const { tenantId, merchant } = await newTenant()
    const before = isolate.clock.now
    for (let i = 0; i < 3; i++) await batch(isolate, tenantId)
    isolate.clock.now = newMonth()
    expect(await batch(isolate, tenantId)).toBe(true)
    expect(await findSpent(db, merchant.id, isolate.clock.now)).toBeCloseTo(1)
    expect(before).not.toBe(isolate.clock.now)
  })

  it('is not renewed by deleting the tenant and creating another, and nobody is asked for the deleted one', async () => {
    const isolate = newIsolate()
    const { tenantId, merchant } = await newTenant()
    expect([await batch(isolate, tenantId), await batch(isolate, tenantId)]).toEqual([true, true])
    await db.delete(tenants).where(eq(tenants.id, tenantId))
    const next = newTenantId(1)
    await giveAccount(next, merchant.id)
    expect(await batch(isolate, next)).toBe(false)
    expect([await batch(newIsolate(isolate.clock.now), next), await batch(newIsolate(), tenantId)]).toEqual([
      false,
      false,
    ])
  })

  it('is counted for an account whose tenant is deleted before the batch ends', async () => {
    const isolate = newIsolate()
    const { tenantId, merchant } = await newTenant()
    await isolate.askFor(tenantId)
    await db.delete(tenants).where(eq(tenants.id, tenantId))
    await isolate.flush()
    expect(await findSpent(db, merchant.id, isolate.clock.now)).toBeCloseTo(1)
  })

  it('is counted together with the budget or not at all, and once', async () => {
    const isolate = newIsolate()
    const { tenantId, merchant } = await newTenant()
    const failing = openDatabase(
      wrapDatabase(bindings.DB, async () => {
        throw new Error('Network connection lost.')
      }),
    )
    await isolate.askFor(tenantId)
    await isolate.deps.spending.flush(failing, isolate.clock.now)
    expect([await findSpent(db, merchant.id, isolate.clock.now), await countsOn(isolate.clock.now)]).toEqual([0, {}])
    await isolate.flush()
    await isolate.flush()
    expect(await findSpent(db, merchant.id, isolate.clock.now)).toBeCloseTo(1)
    expect(await countsOn(isolate.clock.now)).toEqual({ answered: 1 })
  })
})

describe('what is left of the share', () => {
  const { binding } = standIn(async () => undefined)
  const asking = { ...bindings, AI: binding, SECOND_OPINION: 'doubtful', SECOND_OPINION_BUDGET_DOLLARS: '20' }

  const get = async (path: string, headers: Record<string, string>, env: object = asking) =>
    await app.fetch(new Request(`http://s.test${path}`, { headers }), env as Env, createExecutionContext())

  async function newSpender() {
    const tenant = await newTenant()
    const spent = new Map([[tenant.merchant.id, 1.234]])
    await addToDay(db, [{ outcome: 'answered', count: 1, tokens: 1, dollars: 0 }], spent, Date.now())
    return tenant
  }

  it('is in the usage, for members who may read it', async () => {
    const { merchant } = await newSpender()
    const editor = await newMember(merchant.id, 'editor')
    for (const { bearer } of [merchant, editor]) {
      const { data } = await (await get('/merchant/tenant/usage', bearer)).json<{ data: object }>()
      expect(data).toMatchObject({ garments: { used: 0 }, second_opinion_dollars: { used: 1.234, limit: 5 } })
    }
  })

  it("is on the dashboard's page Usage", async () => {
    const { merchant } = await newSpender()
    const page = await (await get('/dashboard/usage', await sessionOf(merchant.id))).text()
    expect(page).toContain('<strong>$1.234</strong> of $5.00')
  })

  it('is not mentioned where nobody is asked', async () => {
    const { merchant } = await newSpender()
    const { data } = await (await get('/merchant/tenant/usage', merchant.bearer, bindings)).json<{ data: object }>()
    expect(data).not.toHaveProperty('second_opinion_dollars')
    const page = await (await get('/dashboard/usage', await sessionOf(merchant.id), bindings)).text()
    expect(page).not.toContain('Second opinions')
  })
})

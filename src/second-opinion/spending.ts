import type { Database } from '../db/client.ts'
import { log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { minuteMs } from '../time.ts'
import { addToDay, type Counted, monthOf, type Outcome, readMonth } from './days.ts'

/** Dollars of a month. */
export interface Limits {
  readonly budget: number
  /** Of it, for one account. */
  readonly share: number
}

export const limitsOf = ({
  SECOND_OPINION_BUDGET_DOLLARS: budget,
  SECOND_OPINION_TENANT_PERCENT: percent,
}: Settings): Limits => ({ budget, share: (budget * percent) / 100 })

/** A sum, such as of dollars, without what adding up has lost. */
export const toMillionths = (dollars: number) => Math.round(dollars * 1e6) / 1e6

interface Used {
  readonly tenantId: string
  readonly tokens: number
  readonly dollars: number
}

/**
 * The counts of an isolate, and what all isolates have spent this month as last read: in total, and by the accounts of
 * the tenants that it asks for. Its own counts are stored once for each batch of garments, which returns the sums. So a
 * month's budget, or an account's share, is exceeded by no more than the spending of the batches that run at the same
 * time.
 */
export interface Spending {
  /** Whether the month is to be read before anything is spent for a tenant. */
  readonly isStale: (tenantId: string, nowMs: number) => boolean
  readonly refresh: (db: Database, tenantId: string, nowMs: number) => Promise<void>
  /** Whether a tenant may spend `dollars` more, as far as it is known. Never for one that was deleted. */
  readonly isWithin: (limits: Limits, tenantId: string, dollars: number) => boolean
  readonly count: (outcome: Outcome, used?: Used) => void
  /** Stores what was counted since the last time. Never throws; what cannot be stored is stored the next time. */
  readonly flush: (db: Database, nowMs: number) => Promise<void>
}

const maxAgeMs = minuteMs

/** Longer than a run needs from the reading of the month to its answer. */
const keptMs = 2 * maxAgeMs

/** Of the tenant's merchant. Not of the tenant, because an account can delete that and create another. */
interface Account {
  readonly merchantId: string
  readonly dollars: number
  readonly readAt: number
}

export function createSpending(): Spending {
  let [total, month] = [0, '']
  const accounts = new Map<string, Account>()
  let counted = new Map<Outcome, Counted>()
  let spent = new Map<string, number>()

  function learn(dollars: number, nowMs: number): void {
    const isNew = month !== monthOf(nowMs)
    for (const [tenantId, { readAt }] of accounts) if (isNew || nowMs - readAt >= keptMs) accounts.delete(tenantId)
    ;[total, month] = [dollars, monthOf(nowMs)]
  }

  function add(outcome: Outcome, more: Omit<Counted, 'outcome'>): void {
    const before = counted.get(outcome)
    counted.set(outcome, {
      outcome,
      count: (before?.count ?? 0) + more.count,
      tokens: (before?.tokens ?? 0) + more.tokens,
      dollars: (before?.dollars ?? 0) + more.dollars,
    })
  }

  const spend = (merchantId: string, dollars: number) => spent.set(merchantId, (spent.get(merchantId) ?? 0) + dollars)

  return {
    isStale(tenantId, nowMs) {
      const readAt = accounts.get(tenantId)?.readAt ?? -Infinity
      return nowMs - readAt >= maxAgeMs || month !== monthOf(nowMs)
    },
    async refresh(db, tenantId, nowMs) {
      const { total: dollars, merchant } = await readMonth(db, tenantId, nowMs)
      learn(dollars, nowMs)
      if (merchant === undefined) accounts.delete(tenantId)
      else accounts.set(tenantId, { merchantId: merchant.id, dollars: merchant.dollars, readAt: nowMs })
    },
    isWithin({ budget, share }, tenantId, dollars) {
      const account = accounts.get(tenantId)
      if (account === undefined) return false
      const own = [...counted.values()].reduce((sum, each) => sum + each.dollars, 0)
      const ownOfAccount = spent.get(account.merchantId) ?? 0
      return total + own + dollars <= budget && account.dollars + ownOfAccount + dollars <= share
    },
    count(outcome, used) {
      add(outcome, { count: 1, tokens: used?.tokens ?? 0, dollars: used?.dollars ?? 0 })
      if (used === undefined) return
      const account = accounts.get(used.tenantId)
      if (account !== undefined) spend(account.merchantId, used.dollars)
    },
    async flush(db, nowMs) {
      if (counted.size === 0) return
      const [stored, storedSpent] = [[...counted.values()], spent]
      ;[counted, spent] = [new Map(), new Map()]
      try {
        const { total: dollars, merchants } = await addToDay(db, stored, storedSpent, nowMs)
        learn(dollars, nowMs)
        const ofMerchants = new Map(merchants.map(({ id, dollars: ofMerchant }) => [id, ofMerchant]))
        for (const [tenantId, account] of accounts) {
          const ofMerchant = ofMerchants.get(account.merchantId)
          if (ofMerchant !== undefined) accounts.set(tenantId, { ...account, dollars: ofMerchant, readAt: nowMs })
        }
      } catch (error) {
        log('warn', 'second opinions not counted', { error })
        for (const each of stored) add(each.outcome, each)
        for (const [merchantId, dollars] of storedSpent) spend(merchantId, dollars)
      }
    },
  }
}

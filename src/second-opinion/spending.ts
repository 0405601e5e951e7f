import type { Database } from '../db/client.ts'
import { log } from '../log.ts'
import { minuteMs } from '../time.ts'
import { addToDay, type Counted, monthOf, type Outcome, readMonth } from './days.ts'

/**
 * The counts of an isolate, and the month's total of all isolates as last read. Its own counts are stored once for each
 * batch of garments, which returns the total. So a month's budget is exceeded by no more than the spending of the
 * batches that run at the same time.
 */
export interface Spending {
  /** Whether the month's total is to be read before anything is spent. */
  readonly isStale: (nowMs: number) => boolean
  readonly refresh: (db: Database, nowMs: number) => Promise<void>
  /** Whether `dollars` more are within the budget, as far as it is known. */
  readonly isWithin: (budgetDollars: number, dollars: number) => boolean
  readonly count: (outcome: Outcome, used?: { readonly tokens: number; readonly dollars: number }) => void
  /** Stores what was counted since the last time. Never throws; what cannot be stored is stored the next time. */
  readonly flush: (db: Database, nowMs: number) => Promise<void>
}

const maxAgeMs = minuteMs

export function createSpending(): Spending {
  let [total, readAt, month] = [0, -Infinity, '']
  let counted = new Map<Outcome, Counted>()

  const learn = (dollars: number, nowMs: number) => ([total, readAt, month] = [dollars, nowMs, monthOf(nowMs)])

  function add(outcome: Outcome, more: Omit<Counted, 'outcome'>): void {
    const before = counted.get(outcome)
    counted.set(outcome, {
      outcome,
      count: (before?.count ?? 0) + more.count,
      tokens: (before?.tokens ?? 0) + more.tokens,
      dollars: (before?.dollars ?? 0) + more.dollars,
    })
  }

  return {
    isStale: (nowMs) => nowMs - readAt >= maxAgeMs || month !== monthOf(nowMs),
    async refresh(db, nowMs) {
      learn(await readMonth(db, nowMs), nowMs)
    },
    isWithin(budgetDollars, dollars) {
      const own = [...counted.values()].reduce((sum, each) => sum + each.dollars, 0)
      return total + own + dollars <= budgetDollars
    },
    count: (outcome, { tokens, dollars } = { tokens: 0, dollars: 0 }) => add(outcome, { count: 1, tokens, dollars }),
    async flush(db, nowMs) {
      if (counted.size === 0) return
      const stored = [...counted.values()]
      counted = new Map()
      try {
        learn(await addToDay(db, stored, nowMs), nowMs)
      } catch (error) {
        log('warn', 'second opinions not counted', { error })
        for (const each of stored) add(each.outcome, each)
      }
    },
  }
}

import { accountDatabase } from '../db/databases/find-database.ts'
import { findSpent } from '../second-opinion/days.ts'
import { isOpinionUsed } from '../second-opinion/open-second-opinion.ts'
import { limitsOf, toMillionths } from '../second-opinion/spending.ts'
import { settingsOf } from '../settings.ts'

/** In dollars. */
export interface OpinionQuota {
  readonly used: number
  readonly limit: number
}

/** What a merchant's second opinions cost this month, and the most that they may; undefined where nobody is asked. */
export async function findOpinionQuota(
  env: Pick<Env, 'DB'>,
  merchantId: string,
  nowMs: number,
): Promise<OpinionQuota | undefined> {
  if (!isOpinionUsed(env)) return undefined
  const used = await findSpent(accountDatabase(env), merchantId, nowMs)
  return { used: toMillionths(used), limit: toMillionths(limitsOf(settingsOf(env)).share) }
}

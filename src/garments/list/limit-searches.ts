import { tooManyAtOnce, tooManyRequests } from '../../platform/http/errors.ts'
import { createLimit } from '../../platform/limits/limit.ts'
import { throttle } from '../../platform/limits/throttle.ts'

export const searchesPerMinute = 60

/** A tenant's searches run one at a time, so that its members cannot keep the database busy for other tenants. */
const inTurn = createLimit({
  perKey: 1,
  waitingPerKey: 20,
  maxWaitMs: 10_000,
  maxActMs: 30_000,
  busy: () => tooManyAtOnce('Too many searches at the same time; wait for their results.', 1),
})

/** Throws 429 above the tenant's limit per minute, which the API and the dashboard share. */
export async function limitSearch<T>(
  env: Pick<Env, 'THROTTLE'>,
  tenantId: string,
  search: () => Promise<T>,
): Promise<T> {
  await throttle(env, `searches:${tenantId}`, searchesPerMinute, (waitMs) =>
    tooManyRequests(`${searchesPerMinute} searches and counts per minute`, waitMs),
  )
  return await inTurn(tenantId, search)
}

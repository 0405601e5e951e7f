import { openDatabase } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { enqueueAll } from '../queue/enqueue.ts'
import { sweepStatement, type SweptGarment } from '../garment/sweep-statement.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'

/** The most that `sendBatch` takes. */
const maxMessages = 100

/** Keep the statement below 50 ms, since the database runs one at a time. */
const maxTenants = 100
const maxPerTenant = 20

/** After every id. */
const lastTenantId = '\u{10ffff}'

/**
 * Enqueues garments again whose message or run was lost. Starts at a random tenant, so that all get their turn when
 * there are more than one sweep visits; what is left over waits for the next one. Returns how many were enqueued.
 */
export async function sweepGarments(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE'>,
  nowMs: number,
  startTenantId = newId(),
): Promise<number> {
  const db = openDatabase(env.DB)
  let count = 0
  const ranges = [
    { from: startTenantId, to: lastTenantId },
    { from: '', to: startTenantId },
  ]
  for (const range of ranges) {
    const swept = await db.all<SweptGarment>(sweepStatement({ ...range, maxTenants, maxPerTenant }, nowMs))
    for (let i = 0; i < swept.length; i += maxMessages) {
      const messages = swept.slice(i, i + maxMessages).map((body: TaggingMessage) => ({ body }))
      await enqueueAll<TaggingMessage>(env.TAGGING_QUEUE, messages)
    }
    count += swept.length
  }
  return count
}

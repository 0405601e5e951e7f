import { sql } from 'drizzle-orm'
import { accountDatabase } from '../db/databases.ts'
import { deadLetters } from '../db/schema.ts'
import { log } from '../../log.ts'

/** Counts a message that a queue gave up on. If that fails too, the log line of the message remains. */
export async function countDeadLetter(
  env: Pick<Env, 'DB'>,
  queue: (typeof deadLetters.$inferSelect)['queue'],
  nowMs: number,
): Promise<void> {
  try {
    await accountDatabase(env)
      .insert(deadLetters)
      .values({ queue, count: 1, lastAt: nowMs })
      .onConflictDoUpdate({ target: deadLetters.queue, set: { count: sql`${deadLetters.count} + 1`, lastAt: nowMs } })
  } catch (error) {
    log('warn', 'dead letter not counted', { queue, error })
  }
}

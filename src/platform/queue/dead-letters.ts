import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { accountDatabase } from '../db/databases.ts'
import { deadLetters } from '../db/schema.ts'
import { log } from '../../log.ts'
import { type AnyMessage, done, settleEach } from './settle.ts'

/** Logs and counts the messages that a queue gave up on. Their work stays due, and the sweep enqueues it again. */
export const deadLetterHandler =
  <T extends AnyMessage>(queue: (typeof deadLetters.$inferSelect)['queue'], schema: z.ZodType<T>) =>
  async (batch: Pick<MessageBatch, 'messages'>, env: Pick<Env, 'DB'>): Promise<void> =>
    await settleEach(batch, schema, async (message) => {
      log('error', 'message gave up', { queue, message })
      await accountDatabase(env)
        .insert(deadLetters)
        .values({ queue, count: 1, lastAt: Date.now() })
        .onConflictDoUpdate({
          target: deadLetters.queue,
          set: { count: sql`${deadLetters.count} + 1`, lastAt: sql`excluded.last_at` },
        })
        .catch((error: unknown) => log('warn', 'dead letter not counted', { queue, error }))
      return done
    })

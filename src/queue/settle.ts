import type { z } from 'zod'
import { log } from '../log.ts'

export type Outcome = { readonly retry: false } | { readonly retry: true; readonly delaySeconds?: number }

export const done: Outcome = { retry: false }

/**
 * Settles each message alone, so that one never redelivers its neighbours. A message that is not of `schema` is
 * dropped: no retry can mend it, and the sweep finds whatever it was about. A throw is a fault of ours: the queue's
 * own retries repeat it with its own delay.
 */
export async function settleEach<T>(
  batch: MessageBatch,
  schema: z.ZodType<T>,
  handle: (body: T, tries: number) => Promise<Outcome>,
): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const outcome = await settle(message, schema, handle)
      if (!outcome.retry) message.ack()
      else message.retry(outcome.delaySeconds === undefined ? {} : { delaySeconds: outcome.delaySeconds })
    }),
  )
}

async function settle<T>(message: Message, schema: z.ZodType<T>, handle: (body: T, tries: number) => Promise<Outcome>) {
  const parsed = schema.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'queue message dropped', { message_id: message.id, problem: parsed.error.message })
    return done
  }
  try {
    return await handle(parsed.data, message.attempts)
  } catch (error) {
    log('error', 'queue message failed', { message_id: message.id, attempts: message.attempts, error })
    return { retry: true } as const
  }
}

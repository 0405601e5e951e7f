import { z } from 'zod'
import { forRequest, log } from '../../log.ts'
import type { Sleep } from '../../time.ts'

export type Outcome = { readonly retry: false } | { readonly retry: true; readonly delaySeconds?: number }

export const done: Outcome = { retry: false }

interface DeliveredMessage {
  /** Number of deliveries so far, including this one. */
  readonly attempts: number
  readonly sentAtMs: number
}

/** Id of the request that caused the message. Absent in messages from the sweep or a tenant's backlog. */
export const requestIdOfMessage = z.string().max(64).optional()

export interface AnyMessage {
  readonly requestId?: string | undefined
}

export type Handle<T> = (body: T, message: DeliveredMessage) => Promise<Outcome>

/**
 * Settles each message alone, so that none redelivers its neighbours. Drops an invalid message, because the sweep finds
 * its work. An error is a fault of the service, which the queue retries after its own delay.
 */
export async function settleEach<T extends AnyMessage>(
  batch: Pick<MessageBatch, 'messages'>,
  schema: z.ZodType<T>,
  handle: Handle<T>,
): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const outcome = await settle(message, schema, handle)
      if (!outcome.retry) message.ack()
      else message.retry(outcome.delaySeconds === undefined ? {} : { delaySeconds: outcome.delaySeconds })
    }),
  )
}

async function settle<T extends AnyMessage>(
  message: Message,
  schema: z.ZodType<T>,
  handle: Handle<T>,
): Promise<Outcome> {
  const parsed = schema.safeParse(message.body)
  if (!parsed.success) {
    log('error', 'queue message dropped', { message_id: message.id, problem: parsed.error.message })
    return done
  }
  try {
    const { data } = parsed
    return await forRequest(data.requestId, async () =>
      handle(data, { attempts: message.attempts, sentAtMs: Number(message.timestamp) }),
    )
  } catch (error) {
    log('error', 'queue message failed', { message_id: message.id, attempts: message.attempts, error })
    return { retry: true }
  }
}

/**
 * Repeats `action` after each pause while it throws, for short faults such as a lost connection. Throws the last error.
 * `action` must be safe to repeat.
 */
export async function retryFault<T>(action: () => Promise<T>, pausesMs: readonly number[], pause: Sleep): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await action()
    } catch {
      await pause(pauseMs)
    }
  }
  return await action()
}

import { z } from 'zod'
import { forRequest, log } from '../../log.ts'
import type { Sleep } from '../../time.ts'

export type Outcome = { readonly retry: false } | { readonly retry: true; readonly delaySeconds?: number }

export const done: Outcome = { retry: false }

interface DeliveredMessage {
  /** How often it was delivered so far, this time included. */
  readonly attempts: number
  readonly sentAtMs: number
}

/** The request that a message is for is unknown where the sweep or a tenant's backlog has sent it. */
export const requestIdOfMessage = z.string().max(64).optional()

export interface AnyMessage {
  readonly requestId?: string | undefined
}

export type Handle<T> = (body: T, message: DeliveredMessage) => Promise<Outcome>

/**
 * Settles each message alone, so that none redelivers its neighbours. A message that does not match `schema` is
 * dropped: retrying cannot help, and the sweep finds the work it was about. An error is a fault of ours, which the
 * queue retries after its own delay.
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
 * Runs `action`, which must be safe to repeat, again after each pause while it throws; throws the last error. For
 * faults of our own that pass, such as a database that is overloaded or a connection that was lost.
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

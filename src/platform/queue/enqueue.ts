import { currentRequestId, log } from '../../log.ts'
import { hourMs, minuteMs } from '../../time.ts'

/** How long after work is due the sweep waits before it assumes that its message was lost. */
export const queueGraceMs = minuteMs

/** A queue, or an object that accepts messages instead of a queue. */
export interface Sender<Message> {
  readonly send: (message: Message, options?: QueueSendOptions) => Promise<unknown>
}

/**
 * Sends a message about work that is stored already, with the id of the request that it is for. A queue that cannot be
 * reached is no failure, because the sweep enqueues the work again.
 */
export async function enqueue<Message extends object>(
  queue: Sender<Message>,
  message: Message,
  options?: QueueSendOptions,
): Promise<void> {
  try {
    const requestId = currentRequestId()
    await queue.send(requestId === undefined ? message : { ...message, requestId }, options)
  } catch (error) {
    log('warn', 'message not enqueued', { tenant: 'tenantId' in message ? message.tenantId : undefined, error })
  }
}

/** The most that a queue takes at once. */
const maxMessages = 100

/** Enqueues any number of messages. A failure is logged, as in `enqueue`. */
export const enqueueAll = async <Message extends object>(queue: Queue<Message>, messages: readonly Message[]) =>
  await enqueueEach(
    queue,
    messages.map((body) => ({ body })),
  )

/** Enqueues messages, each with its own delay. */
export async function enqueueEach<Message extends object>(
  queue: Queue<Message>,
  messages: readonly MessageSendRequest<Message>[],
): Promise<void> {
  for (let i = 0; i < messages.length; i += maxMessages) {
    const some = messages.slice(i, i + maxMessages)
    try {
      await queue.sendBatch(some)
    } catch (error) {
      log('warn', 'messages not enqueued', { count: some.length, error })
    }
  }
}

/** A message that is older is assumed to be lost whatever the queue says. */
const maxWaitMs = hourMs

const shortPauseMs = 2 * minuteMs
const longPauseMs = hourMs

export interface LostBefore {
  /** Work that was due by then is overdue: its message is no longer in the queue. */
  readonly overdueMs: number
  /** The longest pause before a message is assumed to be lost again. Long if the queue does not report its contents. */
  readonly maxPauseMs: number
}

/**
 * Work is due a grace period after its message was sent, and messages that are younger than the oldest one in the queue
 * may be there still. So a long backlog is not enqueued again while it waits, and what was lost is enqueued soon.
 */
export async function lostBefore(queue: Pick<Queue, 'metrics'>, nowMs: number): Promise<LostBefore> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics()
    if (backlogCount === 0 || oldestMessageTimestamp === undefined)
      return { overdueMs: nowMs, maxPauseMs: shortPauseMs }
    const oldestMs = Number(oldestMessageTimestamp)
    const overdueMs = Math.max(nowMs - maxWaitMs, Math.min(nowMs, oldestMs + queueGraceMs))
    return { overdueMs, maxPauseMs: shortPauseMs }
  } catch (error) {
    log('info', 'queue metrics not read', { error })
    return { overdueMs: nowMs, maxPauseMs: longPauseMs }
  }
}

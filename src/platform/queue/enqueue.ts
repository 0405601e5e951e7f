import { currentRequestId, log } from '../../log.ts'
import { hourMs, minuteMs } from '../../time.ts'

/** The sweep assumes a lost message this long after work is due. */
export const queueGraceMs = minuteMs

/** A queue, or an object that accepts messages in place of a queue. */
export interface Sender<Message> {
  readonly send: (message: Message, options?: QueueSendOptions) => Promise<unknown>
}

/**
 * Sends a message about stored work, with the id of its request. Only logs a failure, because the sweep enqueues the
 * work again.
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

/** Maximum number of messages in one call. */
const maxMessages = 100

export const enqueueAll = async <Message extends object>(queue: Queue<Message>, messages: readonly Message[]) =>
  await enqueueEach(
    queue,
    messages.map((body) => ({ body })),
  )

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

/** A message older than this counts as lost in any case. */
const maxWaitMs = hourMs

const shortPauseMs = 2 * minuteMs
const longPauseMs = hourMs

export interface LostBefore {
  /** Work due by this time is overdue, because its message is no longer in the queue. */
  readonly overdueMs: number
  /** The longest pause before a message counts as lost again. Long if the queue does not report its contents. */
  readonly maxPauseMs: number
}

/**
 * Returns which work has lost its message. Messages younger than the oldest one in the queue may still be there, so a
 * long backlog is not enqueued again.
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

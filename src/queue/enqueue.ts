import { log } from '../log.ts'
import { minuteMs } from '../time.ts'

/** How long after work is due the sweep waits before it assumes that its message was lost. */
export const queueGraceMs = minuteMs

/** A queue, or what takes messages in its place. */
export interface Sender<Message> {
  readonly send: (message: Message, options?: QueueSendOptions) => Promise<unknown>
}

/**
 * Sends a message about work that is stored already. A queue that cannot be reached is no failure, because the sweep
 * enqueues the work again.
 */
export async function enqueue<Message extends object>(
  queue: Sender<Message>,
  message: Message,
  options?: QueueSendOptions,
): Promise<void> {
  try {
    await queue.send(message, options)
  } catch (error) {
    log('warn', 'message not enqueued', { tenant: 'tenantId' in message ? message.tenantId : undefined, error })
  }
}

/** The most that a queue takes at once. */
const maxMessages = 100

/** The same for any number of messages. */
export async function enqueueAll<Message extends object>(
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

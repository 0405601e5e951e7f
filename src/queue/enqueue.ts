import { log } from '../log.ts'

/** How long the queue has, after work is due, before the sweep takes its message for lost. */
export const queueGraceMs = 60_000

/**
 * Sends a message whose work is stored already, so that a queue that cannot be reached is no failure: the sweep
 * enqueues it again.
 */
export async function enqueue(queue: Queue, message: object, options?: QueueSendOptions): Promise<void> {
  try {
    await queue.send(message, options)
  } catch (error) {
    log('warn', 'message not enqueued', { ...message, error })
  }
}

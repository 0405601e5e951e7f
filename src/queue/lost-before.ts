import { log } from '../log.ts'
import { queueGraceMs } from './enqueue.ts'

/** A message that is older is assumed to be lost whatever the queue says. */
const maxWaitMs = 60 * 60_000

/**
 * The time by which work must have been due for its message to be lost: it is due a grace period after its message was
 * sent, and messages that are younger than the oldest one in the queue may be there still. So a long backlog is not
 * enqueued again while it waits.
 */
export async function lostBefore(queue: Pick<Queue, 'metrics'>, nowMs: number): Promise<number> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics()
    if (backlogCount === 0 || oldestMessageTimestamp === undefined) return nowMs
    const oldestMs = Number(oldestMessageTimestamp)
    return Math.max(nowMs - maxWaitMs, Math.min(nowMs, oldestMs + queueGraceMs))
  } catch (error) {
    log('info', 'queue metrics not read', { error })
    return nowMs
  }
}

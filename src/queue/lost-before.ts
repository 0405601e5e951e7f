import { log } from '../log.ts'
import { hourMs, minuteMs } from '../time.ts'
import { queueGraceMs } from './enqueue.ts'

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

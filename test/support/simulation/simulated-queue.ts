import type { VirtualClock } from './virtual-clock.ts'

/**
 * A queue on a virtual clock. Consumers take messages in order, and each handles one batch at a time. A message can be
 * taken `latencyMs` after it was sent.
 */
export function createSimulatedQueue<Body>(clock: VirtualClock, latencyMs = 0) {
  const messages: { readonly body: Body; readonly timestamp: Date; attempts: number }[] = []
  let wake: (() => void)[] = []
  let [sent, isClosed] = [0, false]

  function put(message: (typeof messages)[number], delaySeconds = 0): void {
    const enqueue = () => {
      messages.push(message)
      for (const each of wake.splice(0)) each()
    }
    const delayMs = delaySeconds * 1000 + latencyMs
    if (delayMs > 0) clock.after(delayMs, enqueue)
    else enqueue()
  }

  const send = async (body: Body, options?: QueueSendOptions) => {
    sent++
    put({ body, timestamp: new Date(clock.now()), attempts: 1 }, options?.delaySeconds)
  }
  return {
    queue: {
      send,
      async sendBatch(all: Iterable<MessageSendRequest<Body>>) {
        for (const { body, delaySeconds } of all) await send(body, delaySeconds === undefined ? {} : { delaySeconds })
      },
      metrics: async () => ({
        backlogCount: messages.length,
        backlogBytes: 0,
        oldestMessageTimestamp: messages[0]?.timestamp,
      }),
    } as unknown as Queue<Body>,
    sent: () => sent,
    close() {
      isClosed = true
      for (const each of wake.splice(0)) each()
    },
    /** Consumes batches until the queue is closed. */
    async consume(batchSize: number, handle: (batch: MessageBatch) => Promise<void>): Promise<void> {
      while (!isClosed) {
        const taken = messages.splice(0, batchSize)
        if (taken.length === 0) {
          await new Promise<void>((resolve) => (wake = [...wake, resolve]))
          continue
        }
        const batch = taken.map((message, i) => ({
          ...message,
          id: String(i),
          ack() {},
          retry({ delaySeconds = 5 }: QueueRetryOptions = {}) {
            message.attempts++
            put(message, delaySeconds)
          },
        }))
        await handle({ queue: 'garment-tagging', messages: batch } as unknown as MessageBatch)
      }
    },
  }
}

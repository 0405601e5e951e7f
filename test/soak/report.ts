import { Webhook } from 'standardwebhooks'
import type { Received } from '../support/http-host.ts'
import type { Outage } from './faults.ts'
import type { GarmentState, RecordedAttempt } from './read-state.ts'
import type { Expected } from './receivers.ts'

/** One of a tenant's receivers. */
export interface SoakReceiver {
  readonly name: string
  /** Its id. */
  readonly endpoint: string
  readonly expected: Expected | undefined
  readonly secret: string
  /** Uuids of the accepted uploads. */
  readonly events: ReadonlySet<string>
  /** Number of `events` whose image does not exist. */
  readonly withoutImage: ReadonlySet<string>
  readonly requests: readonly Received[]
}

export interface Report {
  /** Garments, once for each receiver of their tenant. */
  readonly events: number
  readonly delivered: number
  readonly failed: number
  /** Events without a delivery, or marked as delivered without a 2xx from the receiver. */
  readonly lost: number
  /** Events whose tagging or delivery has not ended. */
  readonly stuck: number
  /** Events whose image exists but whose tagging failed. */
  readonly wronglyFailed: number
  /** Requests at receivers without a recorded attempt. */
  readonly duplicates: number
  /** Duplicates that neither a kill nor the outage explains. */
  readonly unexplainedDuplicates: number
}

export interface Kill {
  /** In ms since the epoch. */
  readonly at: number
  /** Deliveries with an attempt in progress when the process was killed. */
  readonly claimed: ReadonlySet<string>
}

export interface Facts {
  readonly receivers: readonly SoakReceiver[]
  readonly garments: readonly GarmentState[]
  readonly attempts: readonly RecordedAttempt[]
  readonly kills: readonly Kill[]
  readonly outage: Outage
}

/** Compares what receivers got with what they should get. `problems` are sentences. */
export function createReport(facts: Facts): { report: Report; problems: string[] } {
  const problems: string[] = []
  const attempts = Map.groupBy(facts.attempts, ({ deliveryId }) => deliveryId)
  const garments = new Map(facts.garments.map((garment) => [`${garment.uuid} ${garment.endpoint}`, garment]))
  const count = {
    events: 0,
    delivered: 0,
    failed: 0,
    lost: 0,
    stuck: 0,
    wronglyFailed: 0,
    duplicates: 0,
    unexplainedDuplicates: 0,
  }
  for (const receiver of facts.receivers) {
    const requests = Map.groupBy(receiver.requests, ({ headers }) => headers['webhook-id'] ?? '')
    problems.push(...badSignatures(receiver))
    for (const uuid of receiver.events) {
      count.events++
      const garment = garments.get(`${uuid} ${receiver.endpoint}`)
      const sent = requests.get(garment?.deliveryId ?? '-') ?? []
      const recorded = attempts.get(garment?.deliveryId ?? '-') ?? []
      count[outcome(garment, sent)]++
      if (garment?.status === 'failed' && !receiver.withoutImage.has(uuid)) {
        count.wronglyFailed++
        problems.push(`${receiver.name}, ${uuid}: failed, although its image exists: ${garment.failureReason}`)
      }
      const extra = unrecorded(sent, recorded)
      const unexplained = extra.filter(
        ({ at }) => !explainedByKill(facts.kills, garment?.deliveryId, at) && !explainedByOutage(facts.outage, at),
      )
      count.duplicates += extra.length
      count.unexplainedDuplicates += unexplained.length
      for (const { at } of unexplained)
        problems.push(
          `${receiver.name}, ${uuid}: sent at ${new Date(at).toISOString()} without a recorded attempt or a kill`,
        )
      problems.push(...findProblems(receiver, uuid, garment, recorded))
    }
  }
  return { report: count, problems }
}

function outcome(
  garment: GarmentState | undefined,
  sent: readonly Received[],
): 'delivered' | 'failed' | 'lost' | 'stuck' {
  const status = garment?.deliveryStatus ?? null
  if (garment?.status === 'queuing' || garment?.status === 'processing' || status === 'pending') return 'stuck'
  if (status === 'permanently_failed') return 'failed'
  const accepted = sent.some(({ responseStatus }) => responseStatus >= 200 && responseStatus < 300)
  return status === 'delivered' && accepted ? 'delivered' : 'lost'
}

/** Whether the process was killed between the request and the record of its attempt. */
const explainedByKill = (kills: readonly Kill[], deliveryId: string | null | undefined, requestedAt: number) =>
  kills.some(({ at, claimed }) => at >= requestedAt && claimed.has(deliveryId ?? ''))

/** Whether the attempt could not be recorded because the database failed. A request takes at most 15 s. */
const explainedByOutage = ({ startMs, endMs }: Outage, requestedAt: number) =>
  requestedAt > startMs - 15_000 && requestedAt < endMs

/** Requests without a recorded attempt in the same second. Each attempt matches one request. */
function unrecorded(sent: readonly Received[], recorded: readonly RecordedAttempt[]): Received[] {
  const seconds = recorded.map(({ at }) => String(Math.floor(at / 1000)))
  return sent.filter(({ headers }) => {
    const index = seconds.indexOf(headers['webhook-timestamp'] ?? '')
    if (index >= 0) seconds.splice(index, 1)
    return index < 0
  })
}

function findProblems(
  receiver: SoakReceiver,
  uuid: string,
  garment: GarmentState | undefined,
  recorded: readonly RecordedAttempt[],
) {
  const problems: string[] = []
  const say = (problem: string) => problems.push(`${receiver.name}, ${uuid}: ${problem}`)
  const successes = recorded.filter(({ error }) => error === '').length
  // On a busy machine a receiver can time out, because the service's clock runs faster.
  const onTime = recorded.filter(({ error }) => !error.startsWith('Timeout')).length
  if (garment === undefined) return problems
  if (recorded.length !== garment.attemptCount)
    say(`${recorded.length} attempts in its history, ${garment.attemptCount} counted`)
  if (recorded.length > 9) say(`${recorded.length} attempts`)
  if (successes > 1) say('sent again after a success')
  const { expected } = receiver
  const counted = expected?.attempts === 1 ? onTime : recorded.length
  if (expected !== undefined && garment.deliveryStatus !== expected.status) say(`ended as ${garment.deliveryStatus}`)
  if (expected?.attempts !== undefined && counted !== expected.attempts)
    say(`${counted} attempts instead of ${expected.attempts}: ${recorded.map(({ error }) => error || 'ok').join(', ')}`)
  return problems
}

function badSignatures({ name, secret, requests }: SoakReceiver): string[] {
  const library = new Webhook(secret)
  const bad = requests.filter(({ headers, body }) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds } = headers
    return library.sign(id, new Date(Number(seconds) * 1000), body) !== headers['webhook-signature']
  })
  return bad.length === 0 ? [] : [`${name}: ${bad.length} requests with a wrong signature`]
}

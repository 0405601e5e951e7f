import { Webhook } from 'standardwebhooks'
import type { Received } from '../support/http-host.ts'
import type { GarmentState, NotedAttempt } from './read-state.ts'
import type { Expected } from './receivers.ts'

export interface SoakTenant {
  readonly name: string
  readonly expected: Expected | undefined
  readonly secret: string
  /** The garments whose upload was answered with success. */
  readonly events: ReadonlySet<string>
  readonly requests: readonly Received[]
}

export interface Account {
  readonly events: number
  readonly delivered: number
  readonly failed: number
  /** Events without a delivery, or said to be delivered to a receiver that never accepted them. */
  readonly lost: number
  /** Events whose delivery had not ended. */
  readonly stuck: number
  /** Requests at receivers beyond the attempts that the service has noted. */
  readonly duplicates: number
  /** Those that no death of the process explains. */
  readonly unexplainedDuplicates: number
}

export interface Kill {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Deliveries of which an attempt was being made when the process died. */
  readonly claimed: ReadonlySet<string>
}

export interface Facts {
  readonly tenants: readonly SoakTenant[]
  readonly garments: readonly GarmentState[]
  readonly attempts: readonly NotedAttempt[]
  readonly kills: readonly Kill[]
}

/** `problems` are sentences: anything that a receiver was promised and did not get, or got and was not promised. */
export function takeAccount(facts: Facts): { account: Account; problems: string[] } {
  const problems: string[] = []
  const attempts = Map.groupBy(facts.attempts, ({ deliveryId }) => deliveryId)
  const garments = new Map(facts.garments.map((garment) => [garment.uuid, garment]))
  const count = { events: 0, delivered: 0, failed: 0, lost: 0, stuck: 0, duplicates: 0, unexplainedDuplicates: 0 }
  for (const tenant of facts.tenants) {
    const requests = Map.groupBy(tenant.requests, ({ headers }) => headers['webhook-id'] ?? '')
    problems.push(...badSignatures(tenant))
    for (const uuid of tenant.events) {
      count.events++
      const garment = garments.get(uuid)
      const sent = requests.get(garment?.deliveryId ?? '-') ?? []
      const noted = attempts.get(garment?.deliveryId ?? '-') ?? []
      count[outcome(garment, sent)]++
      const extra = unnoted(sent, noted)
      const unexplained = extra.filter(({ at }) => !diedWith(facts.kills, garment?.deliveryId, at))
      count.duplicates += extra.length
      count.unexplainedDuplicates += unexplained.length
      for (const { at } of unexplained)
        problems.push(`${tenant.name}, ${uuid}: sent at ${new Date(at).toISOString()} without a note of it, nor a kill`)
      problems.push(...broken(tenant, uuid, garment, noted))
    }
  }
  return { account: count, problems }
}

function outcome(
  garment: GarmentState | undefined,
  sent: readonly Received[],
): 'delivered' | 'failed' | 'lost' | 'stuck' {
  const status = garment?.deliveryStatus ?? null
  if (garment?.status === 'queuing' || garment?.status === 'processing' || status === 'pending') return 'stuck'
  if (status === 'permanently_failed') return 'failed'
  const accepted = sent.some(({ answered }) => answered >= 200 && answered < 300)
  return status === 'delivered' && accepted ? 'delivered' : 'lost'
}

/** Whether the process died after the request and before the attempt was noted. */
const diedWith = (kills: readonly Kill[], deliveryId: string | null | undefined, requestedAt: number) =>
  kills.some(({ at, claimed }) => at >= requestedAt && claimed.has(deliveryId ?? ''))

/** Requests without an attempt of the same second; an attempt stands for one request. */
function unnoted(sent: readonly Received[], noted: readonly NotedAttempt[]): Received[] {
  const seconds = noted.map(({ at }) => String(Math.floor(at / 1000)))
  return sent.filter(({ headers }) => {
    const index = seconds.indexOf(headers['webhook-timestamp'] ?? '')
    if (index >= 0) seconds.splice(index, 1)
    return index < 0
  })
}

function broken(tenant: SoakTenant, uuid: string, garment: GarmentState | undefined, noted: readonly NotedAttempt[]) {
  const problems: string[] = []
  const say = (problem: string) => problems.push(`${tenant.name}, ${uuid}: ${problem}`)
  const successes = noted.filter(({ error }) => error === '').length
  // A machine that is short of time makes well-meaning receivers late, the clock being as fast as it is.
  const onTime = noted.filter(({ error }) => !error.startsWith('Timeout')).length
  if (garment === undefined) return problems
  if (noted.length !== garment.attemptCount)
    say(`${noted.length} attempts in its history, ${garment.attemptCount} counted`)
  if (noted.length > 9) say(`${noted.length} attempts`)
  if (successes > 1) say('sent again after a success')
  const { expected } = tenant
  const counted = expected?.status === 'delivered' ? onTime : noted.length
  if (expected !== undefined && garment.deliveryStatus !== expected.status) say(`ended as ${garment.deliveryStatus}`)
  if (expected?.attempts !== undefined && counted !== expected.attempts)
    say(`${counted} attempts instead of ${expected.attempts}`)
  return problems
}

function badSignatures({ name, secret, requests }: SoakTenant): string[] {
  const library = new Webhook(secret)
  const bad = requests.filter(({ headers, body }) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds } = headers
    return library.sign(id, new Date(Number(seconds) * 1000), body) !== headers['webhook-signature']
  })
  return bad.length === 0 ? [] : [`${name}: ${bad.length} requests with a wrong signature`]
}

import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant, type Client } from '../support/api-client.ts'
import type { HttpHost } from '../support/http-host.ts'
import { startService, type RunningService, type ServiceOptions } from '../support/start-service.ts'
import type { Kill } from './report.ts'
import { openState } from './read-state.ts'
import { tenantKinds, type ReceiverKind, type TenantKind } from './receivers.ts'

export interface LoadOptions {
  readonly host: HttpHost
  readonly service: ServiceOptions & { readonly persistTo: string }
  /** The upload ends after this many garments or seconds. */
  readonly maxEvents: number
  readonly maxSeconds: number
  /** Number of times that the process is killed. */
  readonly kills: number
  readonly imageUrls: readonly string[]
  /** The one of `imageUrls` that does not exist. */
  readonly missingImageUrl: string
  readonly say: (text: string) => void
}

interface LoadedReceiver {
  readonly kind: ReceiverKind
  readonly endpoint: string
}

export interface LoadedTenant {
  readonly kind: TenantKind
  readonly receivers: readonly LoadedReceiver[]
  readonly secret: string
  readonly events: Set<string>
  readonly withoutImage: Set<string>
}

/** Concurrent uploads. */
const uploaders = 12
const sweepEveryMs = 500
/** Uploads pause while more work is unfinished, so that work delayed by a kill is done within the run. */
const maxUnended = 400

/** Uploads garments for every kind of receiver while the service is killed and restarted. */
export async function runLoad(options: LoadOptions) {
  const { host, maxEvents, maxSeconds, say } = options
  let service: RunningService = await startService(options.service)
  const { url } = service
  const state = openState(options.service.persistTo)
  const tenants: Awaited<ReturnType<typeof createTenant>>[] = []
  for (const kind of tenantKinds) tenants.push(await createTenant(url, host, kind))
  const startedAt = Date.now()
  const elapsed = () => (Date.now() - startedAt) / 1000
  const kills: Kill[] = []
  let started = 0
  let accepted = 0
  let loading = true

  async function upload() {
    while (elapsed() < maxSeconds) {
      while (state.unended() > maxUnended) await sleep(100)
      if (started >= maxEvents) return
      const number = started++
      const tenant = choose(tenants)
      const uuid = `garment-${number}`
      tenant.planned++
      const image_url = options.imageUrls[number % options.imageUrls.length] ?? ''
      await untilAccepted(tenant.client, { uuid, image_url })
      tenant.events.add(uuid)
      if (image_url === options.missingImageUrl) tenant.withoutImage.add(uuid)
      accepted++
    }
  }

  async function kill() {
    for (let i = 1; i <= options.kills; i++) {
      // Spread evenly over the run.
      const due = () => Math.max(accepted / maxEvents, elapsed() / maxSeconds) >= i / (options.kills + 1)
      while (loading && !due()) await sleep(50)
      if (!loading) return
      await service.kill()
      kills.push({ at: Date.now(), claimed: new Set(state.claimed()) })
      say(`killed after ${Math.round(elapsed())} s, ${accepted} events`)
      service = await startService(options.service)
    }
  }

  const sweeping = new AbortController()
  const swept = sweepUntil(url, sweeping.signal)
  const killed = kill()
  await Promise.all(Array.from({ length: uploaders }, upload))
  loading = false
  await killed
  say(`${accepted} events in ${Math.round(elapsed())} s (${(accepted / elapsed()).toFixed(1)} a second)`)
  return {
    tenants: tenants as readonly LoadedTenant[],
    kills,
    state,
    async stop() {
      sweeping.abort()
      await swept
      await service.stop()
    },
  }
}

async function createTenant(url: string, host: HttpHost, kind: TenantKind) {
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
  const { tenant: client } = await retried(() => createMerchant(url, kind.name))
  const configOf = ({ name, query }: ReceiverKind) => ({ secret, url: `${host.origin}/to/${name}?${query}` })
  const config = { enabled: true, ...configOf(kind) }
  await retried(() => client.expectSuccess('PUT', '/garment-tagging/webhook/config', config))
  const receivers: LoadedReceiver[] = [{ kind, endpoint: 'first' }]
  for (const other of kind.others ?? [])
    receivers.push({ kind: other, endpoint: await addEndpoint(client, configOf(other)) })
  return { kind, receivers, client, secret, events: new Set<string>(), withoutImage: new Set<string>(), planned: 0 }
}

const endpoints = '/garment-tagging/webhook/endpoints'

interface StoredEndpoint {
  readonly id: string
  readonly url: string
}

/** Returns its id. One whose answer was lost by a fault is not added twice. */
async function addEndpoint(client: Client, endpoint: { readonly url: string }): Promise<string> {
  return await retried(async () => {
    const list = (await client.expectSuccess('GET', endpoints)) as { endpoints: readonly StoredEndpoint[] }
    const known = list.endpoints.find(({ url }) => url === endpoint.url)
    return (known ?? ((await client.expectSuccess('POST', endpoints, endpoint)) as StoredEndpoint)).id
  })
}

/** Picks a tenant by its share, among those below their maximum. */
function choose<T extends { kind: TenantKind; planned: number }>(tenants: readonly T[]): T {
  const open = tenants.filter(({ kind, planned }) => planned < (kind.maxEvents ?? Infinity))
  let point = Math.random() * open.reduce((sum, { kind }) => sum + kind.share, 0)
  const chosen = open.find(({ kind }) => (point -= kind.share) < 0) ?? open[0]
  if (chosen === undefined) throw new Error('Every tenant has its maximum of events.')
  return chosen
}

async function untilAccepted(client: Client, body: { uuid: string; image_url: string }): Promise<void> {
  await retried(() => client.expectSuccess('POST', '/garment-tagging/upload', body))
}

/** Retries as a client would, because requests fail by injected faults and kills. */
async function retried<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await action()
    } catch (error) {
      if (tries > 1000) throw error
      await sleep(150)
    }
  }
}

/** Replaces the cron trigger, because the clock runs faster. */
async function sweepUntil(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await fetch(`${url}/cdn-cgi/handler/scheduled`, { signal: AbortSignal.timeout(10_000) }).catch(() => {})
    await sleep(sweepEveryMs)
  }
}

import { findEndpointRow } from '../../src/webhooks/endpoints/endpoint.ts'
import { insertPictures, storedPicture } from '../support/stored-garment/stored-pictures.ts'
import { eq, sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import * as schema from '../../src/platform/db/schema.ts'
import { settingsOf } from '../../src/settings.ts'
import { attemptDelivery, attemptDeps, type AttemptDeps } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import type { WebhookConfig } from '../../src/webhooks/webhook-fields.ts'
import { encryptionKeysOf } from '../../src/webhooks/endpoints/encrypt.ts'
import type { DeliveryMessage, DeliveryStatus } from '../../src/events/delivery.ts'
import { deliveryError } from '../../src/events/delivery-error.ts'
import { sweepDeliveries } from '../../src/webhooks/sweep-deliveries.ts'
import { putConfig } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { dailyCountsQuery } from '../../src/platform/db/daily-counts.ts'
import type { Received } from '../support/http-host.ts'
import { bindings, someone } from '../service.ts'
import { type ResultValues, withResult } from '../support/stored-result.ts'
import { insertTenant } from '../support/insert-tenant.ts'

export const db = openDatabase(bindings.DB)
export const settings = settingsOf(bindings)
export const keys = encryptionKeysOf(settings)
export const secret = `whsec_${btoa('a key of thirty-two bytes, ascii')}`
export const localPolicy = { allowLocal: true, ownHosts: [], protocols: 'https' as const }

/** Times of a scene start here; nothing in it depends on the real clock. */
export const startMs = Date.UTC(2026, 10, 21, 12)

export const receiver = {
  url: (name: string, query = '') => `${inject('httpHost')}/to/${name}?${query}`,
  async received(name: string): Promise<Received[]> {
    return await (await fetch(`${inject('httpHost')}/received/${name}`)).json()
  },
}

interface SentMessage {
  readonly body: DeliveryMessage
  readonly delaySeconds: number | undefined
}

export interface SceneOptions extends Partial<WebhookConfig> {
  /** The receiver's behaviour, as `http-host.ts` describes it. */
  readonly query?: string
  readonly garment?: Partial<typeof schema.garments.$inferInsert> & ResultValues
  readonly delivery?: Partial<typeof schema.deliveries.$inferInsert>
}

/**
 * A tenant with a webhook that leads to a receiver of its own, a tagged garment and its pending delivery; with a clock
 * and a queue that are the test's.
 */
export async function newScene({ query = '', garment = {}, delivery = {}, ...config }: SceneOptions = {}) {
  const tenantId = crypto.randomUUID()
  const name = `receiver-${tenantId}`
  const uuid = `garment-${tenantId}`
  const deliveryId = crypto.randomUUID()
  const at = { createdAt: startMs }
  await insertTenant(db, tenantId, startMs)
  await db.insert(schema.garments).values(
    withResult({
      tenantId,
      uuid,
      number: 1042,
      rowBytes: 0,
      attribute: '{}',
      origin: 'https://tags.example.com',
      status: 'complete',
      revision: 'picture',
      tag: {
        'Item Type': 'Größe 38 – T-Shirt 👕',
        'Item Type Alternatives': ['Bluse'],
        'Item Type Confidence': 'High',
        Parts: '“schön” — 日本',
      },
      measurements: { 'Length (cm)': 70.5 },
      endedAt: startMs,
      ...at,
      ...garment,
    } as const),
  )
  const picture = { id: '276a1ac00ba4f0ea', url: 'https://example.com/a.jpg', copyId: 'picture' }
  const measured = { role: 'measured', hasCutout: true, width: 600, height: 800 } as const
  await insertPictures(db, tenantId, uuid, [
    storedPicture({ ...picture, ...(garment.status !== 'failed' && measured) }),
  ])
  await db.insert(schema.deliveries).values({
    id: deliveryId,
    tenantId,
    garmentUuid: uuid,
    kind: 'tagging',
    endpointId: schema.configEndpointId,
    status: 'pending',
    nextAttemptAt: startMs,
    dueAt: startMs + 60_000,
    updatedAt: startMs,
    ...at,
    ...delivery,
  })
  const configure = async (changes: Partial<WebhookConfig> = {}, nowMs = startMs) =>
    await putConfig(
      { db, keys, policy: localPolicy },
      tenantId,
      { enabled: true, url: receiver.url(name, query), secret, headers: {}, ...config, ...changes },
      nowMs,
      { by: someone },
    )
  await configure({ ...config, enabled: true })
  if (config.enabled === false) await configure()
  const sent: SentMessage[] = []
  const clock = { now: startMs }
  const queue = {
    send: async (body: DeliveryMessage, options?: QueueSendOptions) =>
      void sent.push({ body, delaySeconds: options?.delaySeconds }),
  } as unknown as Queue
  const deps: AttemptDeps = {
    ...attemptDeps(db, queue, settings),
    now: () => clock.now,
    random: () => 0,
    sleep: async () => {},
  }
  async function row() {
    const [found] = await db.select().from(schema.deliveries).where(eq(schema.deliveries.id, deliveryId))
    // As it is shown.
    return found && { ...found, lastError: deliveryError(found.lastError) }
  }
  const message = (attempt: number): DeliveryMessage => ({
    tenantId,
    endpointId: schema.configEndpointId,
    deliveryId,
    attempt,
  })
  return {
    tenantId,
    name,
    uuid,
    deliveryId,
    clock,
    queue,
    /** What was enqueued. */
    sent,
    deps,
    message,
    configure,
    attempt: async (number: number, changes: Partial<AttemptDeps> = {}) =>
      await attemptDelivery(message(number), { ...deps, ...changes }),
    received: async () => await receiver.received(name),
    row,
    config: async () => await findEndpointRow(db, tenantId),
    async attempts() {
      const isOfDelivery = eq(schema.deliveryAttempts.deliveryId, deliveryId)
      return await db
        .select()
        .from(schema.deliveryAttempts)
        .where(isOfDelivery)
        .orderBy(schema.deliveryAttempts.attempt)
    },
    async counts() {
      const rows = await dailyCountsQuery(db, tenantId, 3650, startMs)
      return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]))
    },
  }
}

export type Scene = Awaited<ReturnType<typeof newScene>>

/** For `startDeliveries`: the scene's garment was tagged, now or again. */
export const startedOf = ({ tenantId, uuid }: Scene) =>
  ({ event: 'tagging.completed', tenantId, garmentUuid: uuid, when: sql`1` }) as const

/** What the sweep enqueues for the scene at `now`. */
export async function sweep(scene: Scene, now = scene.clock.now) {
  const bodies: unknown[] = []
  const queue = { sendBatch: async (messages: { body: unknown }[]) => void bodies.push(...messages.map((m) => m.body)) }
  await sweepDeliveries({ db, queue: queue as unknown as Queue }, now)
  return bodies.filter((body) => (body as { deliveryId: string }).deliveryId === scene.deliveryId)
}

/** Inserts `count` pending deliveries `<tenant>-1`, `<tenant>-2` ... of the garments `1`, `2` ... in one statement. */
export async function insertDeliveries(
  tenantId: string,
  count: number,
  row: { status?: DeliveryStatus; dueAt?: number; nextAttemptAt?: number; createdAt?: number } = {},
) {
  const { status = 'pending', nextAttemptAt = null, createdAt = 1 } = row
  // A pending one always has a time; by default it is far from now, so that no sweep finds it.
  const { dueAt = status === 'pending' ? 9e15 : null } = row
  await db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, due_at, next_attempt_at, created_at, updated_at)
    SELECT ${tenantId} || '-' || i, ${tenantId}, i, 'tagging', 'first', ${status}, ${dueAt}, ${nextAttemptAt}, ${createdAt}, 1 FROM n`)
}

import { openDatabase } from '../../../src/platform/db/database.ts'
import { configEndpointId, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { defaultEvents } from '../../../src/events/catalogue.ts'
import { getGarment } from '../../../src/garments/garment.ts'
import { parsePictures, pictureAt } from '../../../src/garments/pictures/garment-picture.ts'
import { formatResult } from '../../../src/garments/stored-result.ts'
import { claimStatement } from '../../../src/garments/transitions.ts'
import { uploadGarment, type UploadLimits } from '../../../src/garments/upload-garment.ts'
import { endGarment } from '../../../src/tagging/end-garment.ts'
import { claimAttempt, recordAttempt } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { storeDeliveryError } from '../../../src/events/delivery-error.ts'
import { insertTenant } from '../insert-tenant.ts'
import { realisticGarment } from './realistic-garment.ts'

const tagged = { predictedKind: 'front', role: 'measured', hasCutout: true, width: 3024, height: 4032 } as const

/** A tenant whose webhook is enabled. */
export async function insertReceiver(binding: D1Database, tenantId: string): Promise<void> {
  const db = openDatabase(binding)
  await insertTenant(db, tenantId)
  await db.insert(webhookEndpoints).values({
    tenantId,
    id: configEndpointId,
    enabled: true,
    url: 'https://r.example/',
    events: defaultEvents,
    createdAt: 0,
    updatedAt: 0,
  })
}

interface DeliveredGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly nowMs: number
  /** Seed of `realisticGarment`. Default 1. */
  readonly seed?: number
}

/**
 * Executes every database write of a realistic garment that is tagged in one run and delivered. Uses the service's own
 * statements. Nothing is really tagged, and no receiver is called.
 */
export async function deliverGarment(
  binding: D1Database,
  { tenantId, uuid, nowMs, seed = 1 }: DeliveredGarment,
  limits: UploadLimits,
): Promise<void> {
  const db = openDatabase(binding)
  const { imageUrl, attribute, tag, measurements, details, hash, answer, attempts } = realisticGarment(seed)
  const upload = { uuid, pictures: [pictureAt(imageUrl)], attribute, origin: 'https://tagging.example' }
  await uploadGarment(db, tenantId, upload, { ...limits, nowMs })
  const garment = await getGarment(db, tenantId, uuid)
  const claimId = crypto.randomUUID()
  await claimStatement(db, garment, claimId, nowMs)

  const sent: DeliveryMessage[] = []
  const deliverySender = { send: async (message: DeliveryMessage) => void sent.push(message) } as unknown as Queue
  const taggingQueue = { sendBatch: async () => {} } as unknown as Queue
  const result = formatResult({ tag, measurements, details })
  const pictures = parsePictures(garment).map((picture) => ({ ...picture, ...tagged }))
  const ending = { status: 'complete', revision: garment.revision, result, hash, pictures, cropBytes: 0 } as const
  const claimed = { ...garment, claimId, tries: garment.tries + 1, waitedMs: undefined }
  await endGarment({ db, taggingQueue, deliverySender }, claimed, ending, nowMs)

  const [message] = sent
  if (message === undefined) throw new Error('Nothing was to be delivered')
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const startedAt = nowMs + (attempt - 1) * 60_000
    const claim = await claimAttempt(db, { ...message, attempt }, crypto.randomUUID(), startedAt)
    if (claim === null) throw new Error('Nothing was to be delivered')
    const ok = attempt === attempts
    const [status, error] = ok
      ? [200, null]
      : [503, storeDeliveryError('http_status', { status: 503, phrase: 'Service Unavailable' })]
    const outcome = {
      attempt,
      startedAt,
      answer: { ok, status, error, body: answer, retryAfter: null, durationMs: 120 },
      status: ok ? ('delivered' as const) : ('pending' as const),
      nextAttemptAt: ok ? null : startedAt + 60_000,
    }
    await recordAttempt(db, claim, outcome, startedAt + 120)
  }
}

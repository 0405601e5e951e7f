import { openDatabase } from '../../../src/platform/db/database.ts'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { defaultEvents } from '../../../src/events/catalogue.ts'
import { claimStatement } from '../../../src/garments/transitions.ts'
import { uploadGarment, type UploadLimits } from '../../../src/garments/upload-garment.ts'
import { endGarment } from '../../../src/tagging/end-garment.ts'
import { findQueuingGarment } from '../../../src/tagging/find-queuing-garment.ts'
import type { TaggingDetails } from '../../../src/vision/tag-picture.ts'
import { claimAttempt, recordAttempt } from '../../../src/webhooks/deliveries/record-attempt.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { insertTenant } from '../insert-tenant.ts'

const tag = {
  Brand: 'Ann',
  Category: 'Clothing',
  Gender: "Men's",
  'Item Type': 'T-Shirt',
  'Item Type Alternatives': ['Long-Sleeve T-Shirt', 'Polo Shirt', 'Sweatshirt'],
  'Item Type Confidence': 'High',
  Colour: 'Navy',
  'Colour Alternatives': ['Blue', 'Black', 'Grey'],
  'Colour Confidence': 'Medium',
  Material: 'Cotton',
  Pattern: 'Plain',
  'Pattern Alternatives': ['Graphic'],
  'Pattern Confidence': 'High',
  Sleeve: 'Short',
  'Sleeve Alternatives': ['Long'],
  'Sleeve Confidence': 'High',
  Fit: 'Regular',
  'Fit Alternatives': ['Slim', 'Loose'],
  'Fit Confidence': 'Medium',
  Closure: 'Pullover',
  'Closure Alternatives': [],
  'Closure Confidence': 'High',
  'Fabric Type': 'Jersey',
  'Fabric Type Alternatives': ['Linen', 'Rib Knit'],
  'Fabric Type Confidence': 'Medium',
  'Colour Hex': '#1f294c',
}

const neckline = { Neckline: 'Crew', 'Neckline Alternatives': ['V-Neck'], 'Neckline Confidence': 'High' }

const details: TaggingDetails = {
  shown: 'flat',
  scale: 'estimate',
  notes: ['reaches_edge'],
  probabilities: {
    'Item Type': [0.931, 0.034, 0.013, 0.008],
    Colour: [0.711, 0.152, 0.104, 0.012],
    Pattern: [0.972, 0.014],
    Sleeve: [0.991, 0.007],
    Neckline: [0.921, 0.048],
    Fit: [0.662, 0.223, 0.091],
    Closure: [0.993],
    'Fabric Type': [0.803, 0.052, 0.047],
  },
  tagger: '3.0',
  view: {
    size: [3024, 4032],
    // From the printed card, the longest.
    scale: [0.0256123, 0.00123456, -12.3456, -0.00212345, 0.0267891, -30.1234, 0.0000123456, -0.0000234567],
    lines: {
      Chest: [812, 1403, 2187, 1399],
      'Body Length': [1311, 742, 1311, 3266],
      Shoulder: [905, 871, 2103, 866],
      'Sleeve Length': [2103, 866, 2688, 1544],
    },
  },
}

/** For a garment of which much was in doubt. */
const opinion: TaggingDetails['opinion'] = {
  model: '@cf/cloudflare/clef-flash',
  weights: '2026-11-22, 1200 garments',
  attributes: {
    'Item Type': {
      spoke: 'opinion',
      network: { 'T-Shirt': 0.38, 'Polo Shirt': 0.55, Vest: 0.04, Jumper: 0.013 },
      opinion: { 'T-Shirt': 0.91, 'Polo Shirt': 0.06, Vest: 0.01, Jumper: 0.003 },
    },
    Pattern: { spoke: 'both', network: { Plain: 0.662, Striped: 0.223 }, opinion: { Plain: 0.91, Striped: 0.03 } },
    Neckline: {
      spoke: 'both',
      network: { Crew: 0.521, 'V-Neck': 0.348 },
      opinion: { Crew: 0.852, 'V-Neck': 0.048 },
    },
    Fit: {
      spoke: 'both',
      network: { Regular: 0.662, Slim: 0.223, Loose: 0.091 },
      opinion: { Regular: 0.802, Slim: 0.121, Loose: 0.02 },
    },
    Closure: { spoke: 'both', network: { None: 0.593, Buttons: 0.301 }, opinion: { None: 0.95, Buttons: 0.04 } },
    'Fabric Type': {
      spoke: 'network',
      network: { Jersey: 0.503, Knit: 0.252, Fleece: 0.047, 'Sweatshirt Fleece': 0 },
      opinion: { Jersey: 0.152, Knit: 0.101, Fleece: 0.02, 'Sweatshirt Fleece': 0.601 },
    },
    shown: { spoke: 'both', network: { flat: 0.984 }, opinion: { flat: 0.9 } },
  },
  contradicts: ['Category'],
}

const measurements = { 'Chest (cm)': 52, 'Body Length (cm)': 70.5, 'Shoulder (cm)': 45, 'Sleeve Length (cm)': 21 }

const results = {
  /** What was stored of a garment before attributes had probabilities, and a picture notes. */
  earlier: { tag, details: null as unknown as object },
  today: { tag: { ...tag, ...neckline }, details },
  /** With a second opinion. */
  asked: { tag: { ...tag, ...neckline }, details: { ...details, opinion } },
}

export type StoredResult = keyof typeof results

interface DeliveredGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly nowMs: number
  readonly result?: StoredResult
}

/** A tenant whose webhook is enabled. */
export async function insertReceiver(binding: D1Database, tenantId: string): Promise<void> {
  const db = openDatabase(binding)
  await insertTenant(db, tenantId)
  await db
    .insert(webhookEndpoints)
    .values({ tenantId, enabled: true, url: 'https://r.example/', headers: '', events: defaultEvents, updatedAt: 0 })
}

/**
 * Makes every write of a garment with README's attributes that is tagged in one run and delivered at the first attempt,
 * by the statements of the service. What would be tagged and called in between is not.
 */
export async function deliverGarment(
  binding: D1Database,
  { tenantId, uuid, nowMs, result = 'today' }: DeliveredGarment,
  limits: UploadLimits,
): Promise<void> {
  const db = openDatabase(binding)
  const upload = {
    uuid,
    imageUrl: `https://images.shop.example/${uuid}.jpg`,
    attribute: { Brand: 'Ann', Material: 'Cotton' },
    origin: 'https://tagging.example',
  }
  const uploaded = await uploadGarment(db, tenantId, upload, { ...limits, nowMs })
  const garment = await findQueuingGarment(db, { tenantId, uuid, pictureId: uploaded?.pictureId ?? '' })
  if (garment === null) throw new Error('The garment is not queuing')
  const claimId = crypto.randomUUID()
  await claimStatement(db, garment, claimId, nowMs)

  const sent: DeliveryMessage[] = []
  const webhookQueue = { send: async (message: DeliveryMessage) => void sent.push(message) } as unknown as Queue
  const taggingQueue = { sendBatch: async () => {} } as unknown as Queue
  const ending = {
    ...results[result],
    status: 'complete' as const,
    pictureId: garment.pictureId,
    measurements,
    description: 'A T-shirt in navy by Ann. It has a crew neck, a regular fit, no fastening and the look of jersey.',
  }
  const claimed = { ...garment, claimId, tries: garment.tries + 1, waitedMs: undefined }
  await endGarment({ db, taggingQueue, webhookQueue }, claimed, ending, nowMs)

  const [message] = sent
  const claim = message && (await claimAttempt(db, message, crypto.randomUUID(), nowMs))
  if (claim === null || claim === undefined) throw new Error('Nothing was to be delivered')
  const answer = { ok: true, status: 200, error: '', body: '{"ok":true}', retryAfter: null, durationMs: 120 }
  const next = { status: 'delivered', nextAttemptAt: null } as const
  await recordAttempt(db, claim, { answer, next, startedAt: nowMs, endedAt: nowMs + 120 })
}

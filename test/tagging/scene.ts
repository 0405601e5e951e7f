import { and, eq } from 'drizzle-orm'
import type { TaggingDetails } from '../../src/vision/tag-picture.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import {
  deliveries,
  garments,
  tenantCounters,
  tenantState,
  unreferencedFiles,
  configEndpointId,
  webhookEndpoints,
} from '../../src/platform/db/schema.ts'
import { defaultEvents } from '../../src/events/catalogue.ts'
import { failureReason } from '../../src/garments/failure.ts'
import { garmentRow, machineResult } from '../../src/garments/garment.ts'
import { type GivenPicture, parsePictures, pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import type { TaggingMessage } from '../../src/garments/turns.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { settingsOf } from '../../src/settings.ts'
import type { TaggingDeps } from '../../src/tagging/deps.ts'
import { createIsolateBudget, isolateLimits } from '../../src/platform/limits/isolate-budget.ts'
import { tagGarment } from '../../src/tagging/tag-garment.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { pictureCopy } from '../support/picture-copy.ts'
import type { DeliveryMessage } from '../../src/events/delivery.ts'
import { dailyCountsQuery } from '../../src/platform/db/daily-counts.ts'
import { bindings, uploadLimits } from '../service.ts'

export const db = openDatabase(bindings.DB)
export const minute = 60_000
export const hour = 60 * minute

/** Times of a scene start here; nothing in it depends on the real clock. */
export const startMs = Date.UTC(2026, 10, 21, 12)

export const tagged = {
  tag: { 'Item Type': 'T-Shirt' },
  measurements: { 'Chest (cm)': 50 },
  details: {
    shown: 'flat',
    scale: 'estimate',
    notes: ['reaches_edge'],
    probabilities: { 'Item Type': [0.9] },
    tagger: '1.0',
    view: { size: [100, 100], scale: 1, lines: { Chest: [20, 30, 70, 30] } },
  } as TaggingDetails,
  copy: pictureCopy,
}

/** A tenant without an account, in the first database. */
export async function newHolder(): Promise<string> {
  const tenantId = crypto.randomUUID()
  await db.insert(tenantState).values({ tenantId, domain: 'shop.example', createdAt: 1, expiryCheckAt: Date.UTC(2100) })
  return tenantId
}

/** A tenant with one uploaded garment `g`, on the real database and storage, with a clock and queues of the test's. */
export async function newScene(
  first: string | GivenPicture = 'https://a.example/',
  attribute: Readonly<Record<string, string>> = {},
  further: readonly GivenPicture[] = [],
) {
  const tenantId = await newHolder()
  const clock = { now: startMs }
  const sent: { tagging: TaggingMessage[]; webhook: DeliveryMessage[] } = { tagging: [], webhook: [] }
  const recording = <T>(list: T[]) =>
    ({
      send: async (body: T) => void list.push(body),
      sendBatch: async (messages: { body: T }[]) => void list.push(...messages.map(({ body }) => body)),
    }) as unknown as Queue<T>
  const deps: TaggingDeps & { readonly webhookQueue: Queue<DeliveryMessage> } = {
    db,
    pictures: bindings.PICTURES,
    taggingQueue: recording(sent.tagging),
    deliverySender: recording(sent.webhook),
    webhookQueue: recording(sent.webhook),
    settings: settingsOf(bindings),
    budget: createIsolateBudget(isolateLimits),
    place: {
      startDownload: async () => await Promise.resolve(true),
      endDownload: () => {},
      untilStalled: async () => await new Promise(() => {}),
      leave: () => {},
    },
    loadNetwork: async () => {},
    fetchImage: async () => new Uint8Array(1),
    tagPicture: async () => tagged,
    readLabel: async () => await Promise.reject(new Error('The garment has no label')),
    examinePicture: async () => await Promise.reject(new Error('The garment has one picture')),
    now: () => clock.now,
    sleep: async (ms) => void (clock.now += ms),
  }
  const upload = async (image = first, uuid = 'g') => {
    const picture = typeof image === 'string' ? pictureAt(image) : image
    const content = { uuid, pictures: [picture, ...further], attribute, origin: 'https://s.example' }
    const fileId = picture.file?.id
    if (fileId !== undefined) await db.insert(unreferencedFiles).values({ tenantId, fileId, since: clock.now })
    return await uploadGarment(db, tenantId, content, { ...uploadLimits, nowMs: clock.now })
  }
  const revision = (await upload())?.revision ?? ''
  const message: TaggingMessage = { tenantId, uuid: 'g', revision }
  return {
    tenantId,
    clock,
    sent,
    deps,
    message,
    upload,
    /** The present upload, unless the message names another. */
    tag: async (changes: Partial<TaggingDeps> = {}, of: TaggedGarment = { tenantId, uuid: 'g' }) =>
      await tagGarment({ ...deps, ...changes }, { revision: await presentRevision(of), ...of }),
    async garment() {
      const [row] = await db.select(garmentRow).from(garments).where(eq(garments.tenantId, tenantId))
      if (row === undefined) throw new Error('The garment is gone')
      // As it is shown.
      const { tag, measurements } = machineResult(row)
      return { ...row, pictureList: parsePictures(row), tag, measurements, failureReason: failureReason(row.failure) }
    },
    delivery: async () => (await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId)))[0],
    async counts() {
      const rows = await dailyCountsQuery(db, tenantId, 3650, startMs)
      return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]))
    },
    async waiting() {
      const [row] = await db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId))
      return row?.waiting
    },
    enableWebhook: async () =>
      await db.insert(webhookEndpoints).values({
        tenantId,
        id: configEndpointId,
        enabled: true,
        url: 'https://r.example/',
        events: defaultEvents,
        createdAt: 0,
        updatedAt: 0,
      }),
    /** The dependencies of a sweep whose messages are recorded. Other tests' garments are swept too. */
    sweepDeps: { db, queue: recording(sent.tagging) },
    enqueued: () => sent.tagging.filter((each) => each.tenantId === tenantId),
  }
}

type TaggedGarment = Pick<TaggingMessage, 'tenantId' | 'uuid'> & Partial<TaggingMessage>

async function presentRevision({ tenantId, uuid }: TaggedGarment): Promise<string> {
  const isIt = and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))
  const [row] = await db.select({ revision: garments.revision }).from(garments).where(isIt)
  return row?.revision ?? ''
}

export const failsWith = (error: Error): Partial<TaggingDeps> => ({ fetchImage: () => Promise.reject(error) })

export const noGarment: Partial<TaggingDeps> = { tagPicture: () => Promise.reject(new PictureError('no_garment')) }

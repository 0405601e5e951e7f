import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { openDatabase, runBatch } from '../../../src/platform/db/database.ts'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { correctionDeps, type CorrectionDeps } from '../../../src/garments/corrections/store-correction.ts'
import { garments, tenantState } from '../../../src/platform/db/schema.ts'
import { doubtOf, storedColumns } from '../../../src/garments/review/doubt.ts'
import { searchColumns } from '../../../src/garments/list/garment-text.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { bindings, databaseOf } from '../../service.ts'
import type { Picture } from '../../../src/garments/pictures/garment-picture.ts'
import { parseResult } from '../../../src/garments/stored-result.ts'
import { isCutOut } from '../../../src/vision/scene.ts'
import { storedGarment } from '../../support/stored-garment/insert-garments.ts'
import { insertPictures, storedPicture } from '../../support/stored-garment/stored-pictures.ts'
import { type ResultValues, storedResult, withResult } from '../../support/stored-result.ts'

export const db = openDatabase(bindings.DB)

const queue: Pick<Queue, 'send'> = {
  send: async () => ({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }),
}

/** For a correction whose delivery nobody makes. */
export const deps: CorrectionDeps = {
  ...correctionDeps({ env: bindings, db }),
  webhookQueue: queue as Queue<DeliveryMessage>,
}

export const machineTag = {
  Category: 'Clothing',
  'Item Type': 'T-Shirt',
  'Item Type Alternatives': ['Shirt'],
  'Item Type Confidence': 'Medium',
  Colour: 'Navy',
  'Colour Alternatives': ['Black', 'Blue'],
  'Colour Confidence': 'Low',
  Pattern: 'Plain',
  'Pattern Alternatives': [],
  'Pattern Confidence': 'High',
  Fit: 'Regular',
  'Fit Alternatives': ['Slim'],
  'Fit Confidence': 'Medium',
  Closure: 'Pullover',
  'Closure Alternatives': ['Button'],
  'Closure Confidence': 'High',
  'Fabric Type': 'Jersey',
  'Fabric Type Alternatives': ['Linen'],
  'Fabric Type Confidence': 'Medium',
  'Colour Hex': '#1f294c',
}

export const machineMeasurements = { 'Chest (cm)': 52, 'Body Length (cm)': 70.5 }

/** Corrects the tag of a garment, as a person does whose review's session is `s`. */
export const correctTag = async (tenantId: string, uuid: string, tag: Record<string, string | null>, nowMs = 3000) =>
  await correctGarment(
    { ...deps, db: databaseOf(tenantId) },
    tenantId,
    { uuid, patch: { tag, measurements: {} }, by: { kind: 'member', id: 's', name: 'Ann' } },
    nowMs,
  )

/** Stores a garment as the tagger leaves it, in the doubt that its tenant's choice makes of it. */
export async function insertGarment(
  tenantId: string,
  uuid: string,
  {
    pictures = [{}],
    ...changes
  }: Partial<typeof garments.$inferInsert> & ResultValues & { readonly pictures?: readonly Partial<Picture>[] } = {},
) {
  const garment = withResult(
    storedGarment({ tenantId, uuid, tag: machineTag, measurements: machineMeasurements, ...changes }),
  )
  const database = databaseOf(tenantId)
  const isStored = and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))
  const isTagged = garment.status === 'complete' && garment.result !== null
  const scene = parseResult(garment.result ?? storedResult())
  const measured = { role: 'measured', hasCutout: isCutOut(scene), width: 600, height: 800 } as const
  await insertPictures(
    database,
    tenantId,
    uuid,
    pictures.map((picture, i) => storedPicture({ ...(i === 0 && isTagged && measured), ...picture })),
  )
  const texts = garment.endedAt === null ? {} : searchColumns({ ...garment, corrections: garment.corrections ?? null })
  await runBatch(database, {
    garment: database.insert(garments).values({ ...garment, ...texts }),
    doubt: database
      .update(garments)
      .set({ doubt: doubtOf(tenantId, storedColumns) })
      .where(isStored),
  })
}

/** Makes the texts of garments that were stored by statements of a test. */
export async function updateTexts(tenantId: string): Promise<void> {
  const database = databaseOf(tenantId)
  const rows = await database
    .select()
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
  const texts = rows.map((row) => ({ tenantId, uuid: row.uuid, ...searchColumns(row) }))
  await database.run(sql`
    UPDATE garments SET search_text = made.value ->> 'searchText', price = made.value ->> 'price'
    FROM json_each(${JSON.stringify(texts)}) AS made WHERE tenant_id = made.value ->> 'tenantId' AND uuid = made.value ->> 'uuid'`)
}

/** Chooses which attributes of a new tenant of a test are reviewed. */
export const chooseReviewed = async (tenantId: string, names: readonly string[]) =>
  await databaseOf(tenantId)
    .insert(tenantState)
    .values({ tenantId, domain: 'shop.example', createdAt: 0, reviewAttributes: JSON.stringify(names) })

/** Makes the doubt of garments that were stored by statements of a test. */
export const updateDoubt = async (tenantId: string) =>
  await databaseOf(tenantId)
    .update(garments)
    .set({ doubt: doubtOf(tenantId, storedColumns) })
    .where(eq(garments.tenantId, tenantId))

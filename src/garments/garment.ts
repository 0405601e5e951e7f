import { crc32 } from 'node:zlib'
import { ApiError } from '../platform/http/errors.ts'
import { listingNames, readListingValue, saleOf, stageOf } from './listing-values.ts'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { applyCorrections, describeCorrected } from './corrections/apply-corrections.ts'
import { parseCorrections } from './corrections/correction.ts'
import { garments } from '../platform/db/schema.ts'
import { toImagesResponse } from './pictures/answer-pictures.ts'
import { parsePictures, selectPictures } from './pictures/garment-picture.ts'
import { contradictions, sizeText, toLabelResponse } from './label.ts'
import { failureCode, failureReason, toRetryResponse } from './failure.ts'
import { garmentSize } from './sizes/garment-size.ts'
import { noDetails, scaleOfDrawn, toDetailsResponse, toPlaces } from './details.ts'
import { type GarmentResult, listingSchema, parseAttribute } from './garment-fields.ts'
import { parseResult } from './stored-result.ts'
import { supplyAttribute } from './corrections/attributes.ts'
import { type Database, namedColumns, prepareQueryOnce } from '../platform/db/database.ts'
import { sameNoteOf, selectSame } from './duplicates.ts'

type StoredGarment = typeof garments.$inferSelect

/** A garment with its pictures and the garment that has the same picture. Leaves out columns that only SQL compares. */
export type GarmentRow = Omit<StoredGarment, 'pictureHash' | 'pictureColours'> & {
  readonly pictures: string
  readonly same: string | null
}

const { pictureHash: _hash, pictureColours: _colours, ...columns } = getTableColumns(garments)

export const garmentRow = { ...columns, pictures: selectPictures('garments'), same: selectSame }

export const resultColumns = {
  tenantId: garments.tenantId,
  uuid: garments.uuid,
  number: garments.number,
  origin: garments.origin,
  attribute: garments.attribute,
  status: garments.status,
  createdAt: garments.createdAt,
  failure: garments.failure,
  revision: garments.revision,
  result: garments.result,
  corrections: garments.corrections,
  pictures: selectPictures('garments'),
  same: selectSame,
}

export type GarmentResultRow = Pick<GarmentRow, keyof typeof resultColumns>

/** Builds the query response. Without `publicUrl`, links start with the host of the upload's request. */
export function toGarmentResponse(row: GarmentResultRow, publicUrl: string | undefined): GarmentResult {
  const complete = row.status === 'complete'
  const machine = complete ? machineResult(row) : null
  const answer = machine === null ? null : correctedResult(row, machine)
  const corrected = answer?.result.corrected ?? []
  const failure = row.status === 'failed' ? row.failure : null
  const attribute = machine?.attribute ?? parseAttribute(row.attribute)
  const retry = row.status === 'queuing' ? toRetryResponse(row.failure) : undefined
  const sameNote = sameNoteOf(row)
  const base = publicUrl ?? row.origin
  const images = toImagesResponse(row, base)
  return {
    uuid: row.uuid,
    number: row.number,
    annotated_img: images.find(({ annotated_img: url }) => url !== '')?.annotated_img ?? '',
    images,
    tag: answer?.result.tag ?? null,
    measurements: answer?.result.measurements ?? null,
    description: answer?.description ?? '',
    complete,
    status: row.status,
    failure_reason: failureReason(failure),
    failure_code: failureCode(failure),
    ...(retry && { retry }),
    ...(answer?.details ?? noDetails),
    ...(answer !== null && {
      notes: [
        ...answer.details.notes,
        ...contradictions(answer.label, attribute),
        ...(sameNote === undefined ? [] : [sameNote]),
      ],
    }),
    ...answer?.places,
    ...(corrected.length === 0 ? {} : { corrected }),
    label:
      answer &&
      toLabelResponse(
        { ...row, stored: answer.label, corrections: answer.corrections, pictures: parsePictures(row) },
        base,
      ),
    attribute,
    listing: toListing(attribute),
    size: toSize(
      sizeText(attribute, answer?.corrections ?? parseCorrections(row.corrections), answer?.label),
      attribute,
      answer?.result.tag ?? {},
    ),
    stage: stageOf(attribute),
    sold: saleOf(attribute, row.createdAt),
  }
}

/** Returns the parsed size. What its text means depends on item type and wearer. */
function toSize(
  size: string,
  attribute: Readonly<Record<string, string>>,
  tag: Readonly<Record<string, unknown>>,
): GarmentResult['size'] {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const gender = text(tag['Gender']) || (attribute['Gender'] ?? '')
  const parsed = garmentSize(size, text(tag['Item Type']), gender)
  return parsed === null ? null : { system: parsed.system, value: parsed.value, type: parsed.type }
}

const { title, description, price, currency, size, condition, stock, sku } = listingNames
const listingFields = { title, text: description, price, currency, size, condition, stock, sku }

/** True if the picture seems to show several garments that are not sold together as a set. */
export const showsSeveral = ({ shown, tag }: Pick<GarmentResult, 'shown' | 'tag'>): boolean =>
  shown === 'several' && tag?.['Item Type'] !== 'Set'

function toListing(attribute: Readonly<Record<string, string>>): GarmentResult['listing'] {
  const values = Object.entries(listingFields).map(([name, names]) => [name, readListingValue(attribute, names)])
  return listingSchema.parse(Object.fromEntries(values))
}

/** Returns whether a picture was stored. A failed garment that was described by hand has none. */
export const hasPicture = ({ status, failure }: Pick<GarmentRow, 'status' | 'failure'>) =>
  status === 'complete' && failure === null

/** Returns the predicted values, without corrections. They are empty if the garment has no result. */
export function machineResult(row: Pick<GarmentRow, 'attribute' | 'result'>) {
  const attribute = parseAttribute(row.attribute)
  const stored = row.result === null ? null : parseResult(row.result)
  const { tag = {}, measurements = {}, view, measuredAs, scale } = stored ?? {}
  const supplied = supplyAttribute({ tag, measuredAs }, attribute, stored?.label)
  return { tag: supplied, measurements, view, measuredAs, scale, attribute, stored }
}

function correctedResult(row: GarmentResultRow, machine: ReturnType<typeof machineResult>) {
  const { view, attribute, stored } = machine
  const corrections = parseCorrections(row.corrections)
  const result = applyCorrections(machine, corrections, attribute)
  const details = stored === null ? noDetails : toDetailsResponse(stored, Object.keys(result.measurements).length > 0)
  return {
    result,
    corrections,
    label: stored?.label,
    description: describeCorrected(result.tag) ?? '',
    details: { ...details, scale: details.scale ?? scaleOfDrawn(view, corrections.lines) },
    places: toPlaces(view, result.lines),
  }
}

/**
 * Returns a strong ETag, which changes with each state, result, correction and attribute. A CRC-32 is enough, because
 * only people who may change the garment could profit from a collision.
 */
export function garmentVersion(row: Pick<GarmentRow, 'status' | 'revision' | 'failure' | 'corrections' | 'attribute'>) {
  const content = JSON.stringify([row.status, row.revision, row.failure, row.corrections, row.attribute])
  return `"${content.length.toString(36)}-${crc32(content).toString(36)}"`
}

/** `ifMatch` is `*` or a list of ETags. Accepts weak ETags, because Cloudflare weakens them when it compresses. */
export const matchesVersion = (ifMatch: string, version: string): boolean =>
  ifMatch.split(',').some((each) => ['*', version].includes(each.trim().replace(/^W\//, '')))

export async function findGarment(db: Database, tenantId: string, uuid: string): Promise<GarmentRow | null> {
  const [garment] = await db
    .select(garmentRow)
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  return garment ?? null
}

/** Throws 404 if the tenant has no such garment. */
export async function getGarment(db: Database, tenantId: string, uuid: string): Promise<GarmentRow> {
  const garment = await findGarment(db, tenantId, uuid)
  if (garment === null) throw new ApiError('garment_not_found')
  return garment
}

const resultQuery = prepareQueryOnce(
  () => sql<GarmentResultRow>`
    SELECT ${namedColumns(resultColumns)} FROM ${garments}
    WHERE tenant_id = ${sql.placeholder('tenantId')} AND uuid = ${sql.placeholder('uuid')}`,
)

/** Reads the primary unless the garment is complete on the nearest replica, which has all changes up to `bookmark`. */
export async function getNearGarment(
  db: Database,
  {
    tenantId,
    uuid,
    bookmark,
  }: { readonly tenantId: string; readonly uuid: string; readonly bookmark: string | undefined },
): Promise<{ readonly garment: GarmentResultRow; readonly from: 'primary' | 'replica' }> {
  const session = db.$client.withSession(bookmark ?? 'first-unconstrained')
  const { results, meta } = await resultQuery(session, { tenantId, uuid })
  const [garment] = results
  if (meta.served_by_primary === false) {
    if (garment?.status === 'complete') return { garment, from: 'replica' }
    return { garment: await getGarment(db, tenantId, uuid), from: 'primary' }
  }
  if (garment === undefined) throw new ApiError('garment_not_found')
  return { garment, from: 'primary' }
}

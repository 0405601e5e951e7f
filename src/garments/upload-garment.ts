import { valueOf } from '../platform/value-of.ts'
import { and, eq, isNull, not, or, sql, type SQL } from 'drizzle-orm'
import { boundText } from '../platform/limits/bound-text.ts'
import { parseAttribute } from './garment-fields.ts'
import { areFilesUsable, unmarkUnreferenced } from './pictures/uploaded-file.ts'
import {
  contentOf,
  fileIdsOf,
  formatGiven,
  type GivenPicture,
  haveSameContent,
  insertPictures,
  nameOf,
  parsePictures,
  selectPictures,
} from './pictures/garment-picture.ts'
import { unauthorized } from '../platform/http/errors.ts'
import { insertGarments, isInBin } from './transitions.ts'
import { type Database, hasChanged, hasRow, oneRow, prepareBatchOnce, randomLetters } from '../platform/db/database.ts'
import { garments, pictures, reservedNumbers, tenantCounters, tenantState } from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'
import { addGrowth, fixedRowBytes, rowBytesOf, textBytesOf } from '../platform/db/count-rows.ts'
import { limitBasis, limitNow, type Quotas, withinQuotas } from '../accounts/quotas.ts'
import type { Attribute } from '../vision/tagging.ts'
import { numberNotReserved, tooManyWaiting, uuidConflict, uuidInBin } from './garment-errors.ts'
import { tenantHasTurn, turnDueAt } from './turns.ts'

interface Content {
  readonly pictures: readonly GivenPicture[]
  readonly attribute: string
}

/** Shortens URLs and attributes in messages. */
const maxShown = 100

const shown = (text: string) => `"${boundText(text, maxShown)}"`

/** Lists how an upload differs from the stored garment with its uuid, and names the call that helps. */
function uploadDifferences(stored: Content, given: Content): string[] {
  const remedy = 'PATCH /garment-tagging/garment?uuid= replaces images, or use another uuid'
  const [before, after] = [stored.pictures[0], given.pictures[0]]
  const imageDifferences =
    before === undefined || after === undefined || contentOf(before) === contentOf(after)
      ? []
      : [`image_url: this uuid has the image ${shown(nameOf(before))}; ${remedy}`]
  if (imageDifferences.length === 0 && !haveSameContent(stored.pictures, given.pictures))
    imageDifferences.push(`images: this uuid has ${stored.pictures.length} with other addresses or kinds; ${remedy}`)
  const [storedAttribute, givenAttribute] = [parseAttribute(stored.attribute), parseAttribute(given.attribute)]
  const names = [...new Set([...Object.keys(storedAttribute), ...Object.keys(givenAttribute)])]
  const attributeDifferences = names.flatMap((name) => {
    const [before, now] = [valueOf(storedAttribute, name), valueOf(givenAttribute, name)]
    if (before === now) return []
    const is = before === undefined ? 'this uuid has none' : `this uuid has ${shown(before)}`
    return [`attribute.${name}: ${is}; PATCH /garment-tagging/garment?uuid= changes it`]
  })
  return [...imageDifferences, ...attributeDifferences]
}

export interface Upload {
  readonly uuid: string
  readonly pictures: readonly GivenPicture[]
  readonly attribute: Attribute
  readonly origin: string
  /** A reserved stock number. If absent, a failed garment keeps its number, and a new one gets the next. */
  readonly number?: number | undefined
}

/** Sorts the keys, so that equal content is equal text. */
export const sortedJson = (attribute: Attribute) =>
  JSON.stringify(Object.fromEntries(Object.entries(attribute).sort(([a], [b]) => (a < b ? -1 : 1))))

export interface UploadLimits {
  readonly maxWaiting: number
  readonly quotas: Quotas
}

export interface StoredUpload {
  readonly revision: string
  /** Whether to send the garment's message now. Otherwise it waits in the tenant's backlog. */
  readonly hasTurn: boolean
}

/**
 * Stores an upload in one round trip. Returns null if the same content is already stored. Throws 401 if the tenant was
 * deleted, 409 if the uuid is taken, 429 if too many garments wait, and 429 or 413 above a quota.
 */
export async function uploadGarment(
  db: Database,
  tenantId: string,
  { uuid, pictures, attribute, origin, number }: Upload,
  { maxWaiting, quotas, nowMs }: UploadLimits & { readonly nowMs: number },
): Promise<StoredUpload | null> {
  const revision = newRevision()
  const content = { pictures, attribute: sortedJson(attribute) }
  const values = {
    tenantId,
    uuid,
    pictures: formatGiven(pictures),
    attribute: content.attribute,
    rowBytes: uploadedBytes({ uuid, ...content }),
    fileIds: JSON.stringify(fileIdsOf(pictures)),
    origin,
    revision,
    number: number ?? null,
    maxWaiting,
    nowMs,
    turnDueAt: turnDueAt(nowMs),
  }
  const stored = await store(db, { ...values, ...maximaOf(quotas) }, quotas)
  if (stored?.revision === revision) return { revision, hasTurn: stored.dueAt !== null }
  if (stored === undefined) {
    const [found] = await db
      .select({ isBinned: isInBin(tenantId, uuid), hasTenant: hasRow(tenantState, eq(tenantState.tenantId, tenantId)) })
      .from(oneRow)
    if (found?.isBinned === 1) throw uuidInBin()
    // The key was valid when the request began, so the tenant has been deleted since.
    throw number !== undefined && found?.hasTenant === 1 ? numberNotReserved(number) : unauthorized()
  }
  const current = { pictures: parsePictures(stored), attribute: stored.attribute }
  const isSameNumber = number === undefined || number === stored.number
  if (haveSameContent(current.pictures, pictures) && current.attribute === content.attribute && isSameNumber)
    return null
  throw uuidConflict([
    ...uploadDifferences(current, content),
    ...(isSameNumber ? [] : [`number: this uuid has ${stored.number}`]),
  ])
}

export const uploadedBytes = (
  { uuid, pictures: all, attribute }: Content & { readonly uuid: string },
  table: 'garments' | 'import_lines' = 'garments',
) => rowBytesOf(table, uuid, attribute) + (table === 'garments' ? pictureBytes(all) : textBytesOf(...all.map(nameOf)))

export const pictureBytes = (pictures: Content['pictures']) =>
  textBytesOf(...pictures.map(nameOf)) + pictures.length * fixedRowBytes.pictures

/** Returns a random revision, so that messages about a former state have no effect. */
export const newRevision = () => randomLetters(16)

const value = (name: string) => sql`${sql.placeholder(name)}`

const isReserved = and(eq(reservedNumbers.tenantId, value('tenantId')), eq(reservedNumbers.number, value('number')))

const isSameGarment = and(eq(garments.tenantId, value('tenantId')), eq(garments.uuid, value('uuid')))

/** One row: the stored garment with the upload's uuid, or nulls. */
const existingGarment = sql`(SELECT 1)
  LEFT JOIN ${garments} AS existing ON existing.tenant_id = ${value('tenantId')} AND existing.uuid = ${value('uuid')}`

const maximaOf = ({ garments: maxGarments, row_bytes: maxRowBytes, growthDays, nowMs }: Quotas) => ({
  maxGarments,
  maxRowBytes,
  growthDays,
  day: dayOf(nowMs),
})

const limitOf = (name: 'garments' | 'row_bytes', most: string) =>
  limitNow(name, { most: value(most), growthDays: value('growthDays') })

/**
 * Builds the statements of an upload. `counted` counts the upload if it is acceptable, and its constraints fail the
 * batch above a limit. `uploaded` inserts the garment or restarts a failed one. `stored` reads the outcome.
 */
const uploadStatements = (db: Database, condition?: SQL) => {
  const [tenantId, uuid, number] = [value('tenantId'), value('uuid'), value('number')]
  const isAccepted = and(
    sql`coalesce(existing.status, 'failed') = 'failed'`,
    not(isInBin(tenantId, uuid)),
    condition,
    or(isNull(number), sql`existing.number = ${number}`, hasRow(reservedNumbers, isReserved)),
  )
  // Minus the bytes of the garment that it replaces.
  const addedBytes = sql`${value('rowBytes')} - coalesce(existing.row_bytes, 0)`
  return {
    // Deletes the pictures of a failed garment that is uploaded again.
    replaced: db
      .delete(pictures)
      .where(
        and(
          eq(pictures.tenantId, tenantId),
          eq(pictures.garmentUuid, uuid),
          hasRow(garments, and(isSameGarment, eq(garments.status, 'failed'))),
          condition,
        ),
      ),
    // The order of the joins reads the tenant's limits only for a garment that is stored.
    counted: sql`
      INSERT INTO ${tenantCounters}
        (tenant_id, waiting, max_waiting, garments, last_number, max_garments, row_bytes, max_row_bytes,
          grown_bytes, grown_day)
      SELECT ${tenantId}, 1, ${value('maxWaiting')}, existing.uuid IS NULL, existing.uuid IS NULL AND ${number} IS NULL,
        ${limitOf('garments', 'maxGarments')}, ${addedBytes}, ${limitOf('row_bytes', 'maxRowBytes')},
        ${addedBytes}, ${value('day')}
      FROM ${existingGarment} CROSS JOIN ${limitBasis(tenantId, value('nowMs'), value('day'))} AS basis
      WHERE ${isAccepted}
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + 1, max_waiting = excluded.max_waiting,
        garments = garments + excluded.garments, max_garments = excluded.max_garments,
        last_number = last_number + excluded.last_number,
        row_bytes = max(row_bytes + excluded.row_bytes, 0), max_row_bytes = excluded.max_row_bytes, ${addGrowth}`,
    uploaded: insertGarments(
      sql`SELECT ${tenantId}, ${uuid},
        coalesce(${number}, existing.number,
          (SELECT last_number FROM ${tenantCounters} WHERE tenant_id = ${tenantId})),
        ${value('attribute')}, ${value('rowBytes')}, ${value('origin')}, ${value('revision')}, 'queuing', ${value('nowMs')},
        iif(${tenantHasTurn(tenantId)}, NULL, ${value('turnDueAt')}), ${value('nowMs')}
        FROM ${existingGarment} WHERE ${hasChanged}`,
    ),
    pictures: insertPictures(
      sql`SELECT ${tenantId} AS tenant_id, ${uuid} AS uuid, ${value('pictures')} AS pictures WHERE ${hasChanged}`,
    ),
    released: db.delete(reservedNumbers).where(and(isReserved, hasChanged)),
    stored: db
      .select({
        number: garments.number,
        attribute: garments.attribute,
        revision: garments.revision,
        pictures: sql<string>`iif(${garments.revision} = ${value('revision')}, '[]', ${selectPictures('garments')})`.as(
          'pictures',
        ),
        dueAt: garments.dueAt,
      })
      .from(garments)
      .where(isSameGarment),
  }
}

const runUpload = prepareBatchOnce((db) => uploadStatements(db))

/** Also unmarks the garment's files, even of an earlier upload. Stores nothing if the sweep has removed one. */
const runFileUpload = prepareBatchOnce((db) => {
  const tenantId = value('tenantId')
  const storedIds = sql`(
    SELECT json_group_array(file_id) FROM ${pictures} WHERE tenant_id = ${tenantId} AND garment_uuid = ${value('uuid')})`
  return {
    ...uploadStatements(db, areFilesUsable(tenantId, value('fileIds'))),
    unmarked: unmarkUnreferenced(tenantId, storedIds),
  }
})

export const isTooManyWaiting = (error: unknown) => String(error).includes('waiting_limit')

/** Runs a batch that counts a garment as waiting. Throws 429 above `maxWaiting`, and like `withinQuotas`. */
export const withinLimits = async <T>(
  holder: Parameters<typeof withinQuotas>[0],
  { maxWaiting, quotas }: UploadLimits,
  run: () => Promise<T>,
): Promise<T> =>
  await withinQuotas(holder, quotas, run).catch((error: unknown) => {
    throw isTooManyWaiting(error) ? tooManyWaiting(maxWaiting) : error
  })

type UploadValues = Readonly<Record<string, unknown>> &
  Pick<UploadLimits, 'maxWaiting'> & { readonly tenantId: string; readonly fileIds: string }

async function store(db: Database, values: UploadValues, quotas: Quotas) {
  const run = values.fileIds === '[]' ? runUpload : runFileUpload
  const limits = { maxWaiting: values.maxWaiting, quotas }
  const { stored } = await withinLimits({ db, tenantId: values.tenantId }, limits, async () => await run(db, values))
  return stored[0]
}

import { parseExportRecords } from '../garments/export-record.ts'
import { parseCorrections } from '../garments/corrections/correction.ts'
import { parseAttribute } from '../garments/garment-fields.ts'
import { originalUrl, publishedUrl, smallPath } from '../garments/pictures/answer-pictures.ts'
import { nameOf, parsePictures, shownPicture } from '../garments/pictures/garment-picture.ts'
import { machineResult, toGarmentResponse } from '../garments/garment.ts'
import { toIso } from '../time.ts'
import { type ExportedRow, type ExportFilter, readSteps } from '../garments/list/read-garments.ts'
import { type TextFilter, textTerms } from '../garments/list/scans.ts'
import { foldWords, marks } from '../garments/list/search-words.ts'
import { hasTerms, type Term } from '../garments/list/parse-search.ts'
import { isForSale } from './exported-garments.ts'
import type { ShopFormat } from './shops/shop-formats.ts'
import { isNewSince, type LastExport } from './last-exports.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import type { PageRequest } from '../platform/db/page.ts'

const iso = (ms: number | null) => (ms === null ? '' : toIso(ms))

/** Builds the exported garment: the query data, what was uploaded, and predicted values without corrections. */
export function toExportResponse(row: ExportedRow, publicUrl: string | undefined) {
  const { tag, measurements } = parseCorrections(row.corrections)
  const machine = row.status === 'complete' ? predicted(machineResult(row)) : null
  const reviewed = [...Object.entries(tag), ...Object.entries(measurements)]
  const confirmed = reviewed.flatMap(([name, { value }]) =>
    value === (machine?.tag[name] ?? machine?.measurements[name]) ? [name] : [],
  )
  const base = publicUrl ?? row.origin
  const storedPictures = parsePictures(row).map((picture) => ({
    ...picture,
    publishedUrl: publishedUrl(base, row.tenantId, picture),
  }))
  const [first] = storedPictures
  const shown = shownPicture(storedPictures)
  const exportRecords = parseExportRecords(row.exports)
  return {
    ...toGarmentResponse(row, publicUrl),
    image_url: first === undefined ? '' : nameOf(first),
    original_img: first?.file ? originalUrl(base, row.tenantId, first) : '',
    attribute: parseAttribute(row.attribute),
    created_at: iso(row.createdAt),
    ended_at: iso(row.endedAt),
    machine,
    exported: Object.fromEntries(
      Object.entries(exportRecords).map(([shop, { at, handle, isEnded }]) => [
        shop,
        { at: toIso(at), handle, ended: isEnded },
      ]),
    ),
    exportRecords,
    storedPictures,
    thumbnail: (shown && smallPath(row.tenantId, shown)) ?? '',
    ...(confirmed.length === 0 ? {} : { confirmed }),
  }
}

const predicted = ({ tag, measurements }: ReturnType<typeof machineResult>) => ({ tag, measurements })

export type ExportedGarment = ReturnType<typeof toExportResponse>

/** Formats a garment as JSON, without the service's own records. */
export const toExportJson = (garment: ExportedGarment): string =>
  JSON.stringify({ ...garment, exportRecords: undefined, storedPictures: undefined, thumbnail: undefined })

/** Filters that are applied to each garment after it is read. */
interface GarmentMatch extends TextFilter {
  /** Only garments with a doubtful value. */
  readonly doubtful?: boolean | undefined
  /**
   * Only garments that are new since this export, and those sold or withdrawn since that a shop still offers.
   */
  readonly since?: LastExport | undefined
  /** The shop that `since` is about. */
  readonly shop?: ShopFormat | undefined
}

function matchesFilter(
  garment: ExportedGarment,
  { searchText, price, doubt }: Pick<ExportedRow, 'searchText' | 'price' | 'doubt'>,
  filter: GarmentMatch,
  terms: readonly Term[],
): boolean {
  const { minPrice, maxPrice, unpriced, stage, doubtful, since, shop } = filter
  // Waiting garments have no search text yet, and search texts exclude the uuid.
  const values = searchText === null ? Object.values(garment.attribute) : []
  const text = `${searchText ?? ''} ${[garment.uuid, ...values].flatMap(foldWords).join(' ')} `
  return (
    hasTerms(text, terms) &&
    (minPrice === undefined || (price !== null && price >= minPrice)) &&
    (maxPrice === undefined || (price !== null && price <= maxPrice)) &&
    (!unpriced || price === null) &&
    ((!unpriced && stage !== 'draft') || garment.status === 'complete') &&
    (stage !== 'draft' || !text.includes(`${marks.stage} `)) &&
    (!doubtful || doubt > 0) &&
    (since === undefined || isNewSince(garment, since) || isStillOffered(garment, shop))
  )
}

/** True if the latest file for a shop listed a garment that is now sold or withdrawn. */
const isStillOffered = (garment: ExportedGarment, shop: ShopFormat | undefined): boolean =>
  shop !== undefined && garment.exportRecords[shop]?.isEnded === false && !isForSale(garment)

/** CPU cost of reading a garment, in characters, added to the length of its attributes. */
const workOfGarment = 1000

export type WalkedGarments = ExportFilter & GarmentMatch & Pick<PageRequest, 'cursor'>

/** Yields matching garments in steps, oldest first. A step without matches yields an empty array. */
export async function* walkGarments(
  db: Database,
  tenantId: string,
  filter: WalkedGarments,
  publicUrl: string | undefined,
  lookedThrough = { count: 0 },
): AsyncGenerator<readonly ExportedGarment[]> {
  const yieldAfter = createYieldAfter()
  const terms = textTerms(filter)
  for await (const { rows } of readSteps(db, tenantId, { ...filter, limit: Infinity })) {
    lookedThrough.count += rows.length
    const garments: ExportedGarment[] = []
    for (const row of rows) {
      const garment = toExportResponse(row, publicUrl)
      if (matchesFilter(garment, row, filter, terms)) garments.push(garment)
      await yieldAfter(row.attribute.length + workOfGarment)
    }
    yield garments
  }
}

/** Reading this many takes a fifth of the 1,000 queries that the platform allows per request. */
const maxLookedThrough = 20_000

/**
 * Returns the uuids of matching complete garments, oldest first. `hasMore` is true if not all garments were read, so
 * that more may match.
 */
export async function collectUuids(db: Database, tenantId: string, filter: WalkedGarments, limit: number) {
  const uuids: string[] = []
  const lookedThrough = { count: 0 }
  const complete = { ...filter, status: 'complete' } as const
  for await (const garments of walkGarments(db, tenantId, complete, undefined, lookedThrough)) {
    if (uuids.length + garments.length > limit) return { uuids, hasMore: true }
    uuids.push(...garments.map(({ uuid }) => uuid))
    if (lookedThrough.count >= maxLookedThrough) return { uuids, hasMore: true }
  }
  return { uuids, hasMore: false }
}

import type { Context } from 'hono'
import { z } from 'zod'
import { recordExport } from '../exports/last-exports.ts'
import type { WalkedGarments } from '../exports/walk-garments.ts'
import { maxZipBytes, maxZipPictures, planZip, streamZip, walkPictured } from '../exports/zip-pictures.ts'
import { formatNumber } from '../garments/list/garment-number.ts'
import { listedGarments } from '../garments/list/list-garments.ts'
import { parsePictures } from '../garments/pictures/garment-picture.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { dayOf } from '../time.ts'
import { selectedIds } from './parts/list-parts.tsx'
import { type FormValues, parseFields } from './form.ts'
import type { DashboardEnv } from './viewer.ts'

/** Describes a further ZIP file of a large selection: when the first began, its own number, and its position. */
const partSchema = z.object({
  begunMs: z.coerce.number().int().nonnegative(),
  number: z.coerce.number().int().positive(),
  cursor: z.string(),
})

const tooManyPictures = () =>
  invalidBody([
    `A ZIP file has at most ${maxZipPictures} pictures and ${maxZipBytes / 1_000_000} MB. Choose fewer garments.`,
  ])

interface PicturesRequest {
  readonly filter: WalkedGarments
  /** True if every garment is exported. Only then can the next export continue where this one ends. */
  readonly isUnfiltered: boolean
}

/**
 * Sends the pictures of all matching garments as a ZIP file. Scripts pass the header `X-Next-Part` on as `part` and so
 * get a large selection in several files. Without `part`, a large selection is refused.
 */
export async function sendPictures(
  c: Context<DashboardEnv>,
  { part: given }: FormValues,
  { filter, isUnfiltered }: PicturesRequest,
): Promise<Response> {
  const [db, tenantId, nowMs] = [c.get('db'), c.get('tenant').id, Date.now()]
  const part = given ? parseFields(partSchema, Object.fromEntries(new URLSearchParams(given))) : undefined
  const { begunMs, number } = part ?? { begunMs: nowMs, number: 1 }
  const garments = walkPictured(db, tenantId, { ...filter, cursor: part?.cursor })
  const { pictures, nextCursor } = await planZip(db, tenantId, garments)
  const isLast = nextCursor === null
  if (!isLast) {
    if (given === undefined) throw tooManyPictures()
    const next = { begunMs: String(begunMs), number: String(number + 1), cursor: nextCursor }
    c.header('X-Next-Part', new URLSearchParams(next).toString())
  }
  const onSent = async () => {
    // The garments may have changed since the first file was begun.
    if (isLast && isUnfiltered)
      await recordExport(db, tenantId, 'pictures', { exportedAt: Math.min(begunMs, nowMs), recent: [], leftOut: [] })
  }
  const name = `pictures-${dayOf(nowMs)}${isLast && number === 1 ? '' : `-${number}`}`
  return toResponse(c, name, await streamZip(c.env.PICTURES, tenantId, pictures, onSent))
}

/** Sends the pictures of the garments that are selected in a list, sold ones included. */
export async function sendSelectedPictures(c: Context<DashboardEnv>, values: FormValues): Promise<Response> {
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const uuids = selectedIds(values)
  if (uuids.length === 0) throw invalidBody(['Select at least one garment in the list.'])
  const listed = await listedGarments(db, tenantId, uuids)
  const garments = listed.map((garment) => ({ ...garment, pictures: parsePictures(garment) }))
  const { pictures, nextCursor } = await planZip(db, tenantId, [garments])
  if (nextCursor !== null) throw tooManyPictures()
  const [only, ...others] = garments
  const name = only !== undefined && others.length === 0 ? formatNumber(only.number) : `pictures-${dayOf(Date.now())}`
  return toResponse(c, name, await streamZip(c.env.PICTURES, tenantId, pictures))
}

const toResponse = (c: Context<DashboardEnv>, name: string, zip: ReadableStream<Uint8Array>) =>
  c.body(zip, 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${name}.zip"`,
  })

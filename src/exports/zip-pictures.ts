import { makeZip } from 'client-zip'
import { and, eq } from 'drizzle-orm'
import { formatNumber } from '../garments/list/garment-number.ts'
import { positionOf } from '../garments/list/read-garments.ts'
import { fileIdsOf, hasCopy, type Picture } from '../garments/pictures/garment-picture.ts'
import { copyKey } from '../garments/pictures/stored-copy.ts'
import { fileKey } from '../garments/pictures/uploaded-file.ts'
import { type Database, inValues } from '../platform/db/database.ts'
import { cursorOf } from '../platform/db/page.ts'
import { storedFiles } from '../platform/db/schema.ts'
import { streamFile } from '../platform/http/stream-file.ts'
import { eraseMetadata } from '../vision/image/formats.ts'
import { isForSale } from './exported-garments.ts'
import { type WalkedGarments, walkGarments } from './walk-garments.ts'

/** Maximum number of pictures in a ZIP file. Each is one of the 1,000 calls that the platform allows per request. */
export const maxZipPictures = 400

/** Maximum size of a ZIP file. The eight largest possible pictures of one garment fit. */
export const maxZipBytes = 200_000_000

/** Upper estimate for a copy, whose size is not recorded. */
const copyBytes = 500_000

export interface PicturedGarment {
  readonly uuid: string
  readonly number: number
  readonly createdAt: number
  readonly pictures: readonly Picture[]
}

/** Yields matching garments that a shop's file may contain: complete ones that are neither sold nor withdrawn. */
export async function* walkPictured(
  db: Database,
  tenantId: string,
  filter: WalkedGarments,
): AsyncGenerator<readonly PicturedGarment[]> {
  for await (const garments of walkGarments(db, tenantId, { ...filter, status: 'complete' }, undefined))
    yield garments.filter(isForSale).map(({ uuid, number, created_at: at, storedPictures }) => ({
      uuid,
      number,
      createdAt: Date.parse(at),
      pictures: storedPictures,
    }))
}

interface ZippedPicture {
  /** Without its extension, such as `G-1042-1`. */
  readonly name: string
  readonly key: string
}

export interface ZipPlan {
  readonly pictures: readonly ZippedPicture[]
  /** Position of the last garment if others do not fit, otherwise null. */
  readonly nextCursor: string | null
}

/** Chooses the readable pictures of the first garments that fit in a ZIP file. */
export async function planZip(
  db: Database,
  tenantId: string,
  steps: AsyncIterable<readonly PicturedGarment[]> | Iterable<readonly PicturedGarment[]>,
  maxGarments = Infinity,
): Promise<ZipPlan> {
  const pictures: ZippedPicture[] = []
  let [bytes, count] = [0, 0]
  let nextCursor: string | null = null
  for await (const garments of steps) {
    const readable = garments.map((garment) => ({
      garment,
      readable: garment.pictures.filter(({ failure }) => failure === null),
    }))
    const sizes = await findFileSizes(db, tenantId, fileIdsOf(readable.flatMap((each) => each.readable)))
    for (const { garment, readable: added } of readable) {
      bytes += added.reduce((sum, { file }) => sum + ((file && sizes.get(file.id)) ?? copyBytes), 0)
      if (count >= maxGarments || pictures.length + added.length > maxZipPictures || bytes > maxZipBytes)
        return { pictures, nextCursor }
      for (const [place, picture] of added.entries())
        pictures.push({ name: `${formatNumber(garment.number)}-${place + 1}`, key: keyOf(tenantId, picture) })
      count++
      nextCursor = cursorOf(positionOf(garment))
    }
  }
  return { pictures, nextCursor: null }
}

/** A rotated picture is sent as its copy, which is upright. */
const keyOf = (tenantId: string, picture: Picture): string =>
  picture.file === null || (picture.rotation && hasCopy(picture))
    ? copyKey(tenantId, picture.copyId)
    : fileKey(tenantId, picture.file.id)

async function findFileSizes(db: Database, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, number>()
  const rows = await db
    .select({ id: storedFiles.fileId, bytes: storedFiles.bytes })
    .from(storedFiles)
    .where(and(eq(storedFiles.tenantId, tenantId), inValues(storedFiles.fileId, ids)))
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/**
 * Streams a ZIP file, reading one picture at a time. Omits pictures that are not stored any more, and camera metadata.
 * Throws as `streamFile` does.
 */
export async function streamZip(
  bucket: Pick<R2Bucket, 'get'>,
  tenantId: string,
  pictures: readonly ZippedPicture[],
  onSent?: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  async function* files() {
    for (const { name, key } of pictures) {
      const stored = await bucket.get(key)
      if (stored === null) continue
      const type = stored.httpMetadata?.contentType ?? 'image/jpeg'
      const extension = type.replace('image/', '').replace('jpeg', 'jpg')
      yield {
        name: `${name}.${extension}`,
        input: eraseMetadata(stored.body, type),
        lastModified: stored.uploaded,
      }
    }
  }
  async function* parts() {
    yield* makeZip(files())
    await onSent?.()
  }
  return await streamFile(tenantId, parts())
}

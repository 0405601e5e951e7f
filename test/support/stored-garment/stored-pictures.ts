import type { Database } from '../../../src/platform/db/database.ts'
import { pictures } from '../../../src/platform/db/schema.ts'
import { type Picture, pictureAt } from '../../../src/garments/pictures/garment-picture.ts'

/** A file that was uploaded. */
export const fileOf = (id: string, name = 'a.jpg', digest: string = id) => ({ id, digest, name })

/** A picture that waits to be tagged. `changes` contains the values that a test is about. */
export const storedPicture = (changes: Partial<Picture> = {}): Picture => ({
  ...pictureAt('https://a.example/x.jpg'),
  ...(changes.file && { url: null }),
  id: crypto.randomUUID(),
  predictedKind: null,
  rotation: 0,
  copyId: crypto.randomUUID(),
  role: null,
  hasCutout: false,
  cutoutOff: false,
  failure: null,
  width: null,
  height: null,
  ...changes,
})

/** Stores the pictures of a garment. */
export async function insertPictures(db: Database, tenantId: string, garmentUuid: string, all: readonly Picture[]) {
  if (all.length === 0) return
  await db.insert(pictures).values(
    all.map(({ file, ...picture }, position) => ({
      tenantId,
      garmentUuid,
      position,
      ...picture,
      fileId: file?.id ?? null,
      fileDigest: file?.digest ?? null,
      fileName: file?.name ?? null,
    })),
  )
}

import { randomLetters } from '../../platform/db/database.ts'

/** Unguessable, with 130 random bits. Shorter than a UUID, because the row of each garment has one. */
export const newPictureId = () => randomLetters(26)

export const picturePath = (tenantId: string, pictureId: string) =>
  `/garment-tagging/annotated/${tenantId}/${pictureId}`

/** The path of the small copy, for lists. */
export const thumbnailPath = (tenantId: string, pictureId: string) => `${picturePath(tenantId, pictureId)}/thumbnail`

/** The path of the copy without anything drawn over it. */
export const copyPath = (tenantId: string, pictureId: string) => `/garment-tagging/copy/${tenantId}/${pictureId}`

export const cutoutPath = (tenantId: string, pictureId: string) => `/garment-tagging/cutout/${tenantId}/${pictureId}`

/** The prefix of the keys of a tenant's pictures, by which deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `copies/${tenantId}/`

/** The key of the copy that tagging stores. */
export const pictureKey = (tenantId: string, pictureId: string) => `${tenantPicturesPrefix(tenantId)}${pictureId}`

const cutoutVariants = ['cut', 'cut-none', 'cut-4x5', 'cut-4x5-none'] as const

export type CutoutVariant = (typeof cutoutVariants)[number]

/** The key of a cut-out. No id of a picture has a full stop, so that nothing else is found by it. */
export const cutoutKey = (tenantId: string, pictureId: string, variant: CutoutVariant) =>
  `${pictureKey(tenantId, pictureId)}.${variant}`

/** A garment has at most so many pictures. */
export const maxImages = 8

/** What names the further pictures of a garment. The place of each, from 2, is added. */
export const severalPrefix = 'several-'

/** The name of a picture's copy in storage. `place` counts from 0. */
export const annotatedId = (
  { pictureId, imagesId }: { readonly pictureId: string; readonly imagesId: string },
  place: number,
) => (place === 0 ? pictureId : `${imagesId}-${place + 1}`)

/** For a picture, or for all further ones of a garment; each with its cut-outs, there or not. */
export function pictureKeys(tenantId: string, id: string): string[] {
  const further = Array.from({ length: maxImages - 1 }, (_, index) => `${id}-${index + 2}`)
  return (id.startsWith(severalPrefix) ? further : [id]).flatMap((each) => [
    pictureKey(tenantId, each),
    ...cutoutVariants.map((variant) => cutoutKey(tenantId, each, variant)),
  ])
}

/** R2 deletes at most 1,000 objects at once. */
const maxKeys = 1000

/** Deletes at most `limit` objects (R2's most for one call is 1,000) of those below a prefix. Returns how many. */
export async function deleteBelow(pictures: R2Bucket, prefix: string, limit: number): Promise<number> {
  const { objects } = await pictures.list({ prefix, limit })
  if (objects.length > 0) await pictures.delete(objects.map(({ key }) => key))
  return objects.length
}

/** Deletes objects by their keys, there or not. */
export async function deletePictures(pictures: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeys) await pictures.delete(keys.slice(from, from + maxKeys))
}

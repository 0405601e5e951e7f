import { createHash } from 'node:crypto'
import { type LabelKey, labelKeys } from '../../labels/understanding/understand-label.ts'
import { randomLetters } from '../../platform/db/database.ts'

/**
 * A copy's id is secret to those who have only a weaker URL. The id stands in the URL of the whole picture, its hash in
 * that of the annotated picture, and the hash of that hash in the URL of the cut-out, which is the key in storage, too.
 * So nobody gets from the URL of a cut-out to the whole picture, and no URL works for another kind of picture.
 */
export const newCopyId = () => randomLetters(26)

const hashName = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32)

/** Returns the name of an annotated picture in its URL, without corrected lines. */
export const annotatedCopyName = (copyId: string) => hashName(copyId)

export const picturePath = (tenantId: string, annotatedName: string) =>
  `/garment-tagging/annotated/${tenantId}/${annotatedName}`

/** Returns the path of the small picture for lists. */
export const thumbnailPath = (tenantId: string, copyId: string) =>
  `${picturePath(tenantId, annotatedCopyName(copyId))}/thumbnail`

/** Returns the path of the copy without anything drawn over it. */
export const copyPath = (tenantId: string, copyId: string) => `/garment-tagging/copy/${tenantId}/${copyId}`

export const cutoutPath = (tenantId: string, copyId: string) =>
  `/garment-tagging/cutout/${tenantId}/${hashName(annotatedCopyName(copyId))}`

/** The prefix of the keys of a tenant's pictures, by which deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `copies/${tenantId}/`

/** Returns the key of the copy that tagging stores, given the name in the URL of a cut-out. */
export const keyOfCutout = (tenantId: string, name: string) => `${tenantPicturesPrefix(tenantId)}${name}`

/** Returns the same key, given the name in the URL of an annotated picture. */
export const keyOfAnnotated = (tenantId: string, name: string) => keyOfCutout(tenantId, hashName(name))

export const copyKey = (tenantId: string, copyId: string) => keyOfAnnotated(tenantId, annotatedCopyName(copyId))

const cutoutVariants = ['cut', 'cut-none', 'cut-4x5', 'cut-4x5-none'] as const

export type CutoutVariant = (typeof cutoutVariants)[number]

/** Returns the key of a stored cut-out. No copy's key ends like this, so that no copy is found by it. */
export const cutoutKey = (keyOfCopy: string, variant: CutoutVariant) => `${keyOfCopy}.${variant}`

const cropNames = { Brand: 'brand', Size: 'size', Material: 'material', 'Country of Origin': 'origin' } as const

/**
 * Returns the id of a crop of a label, which is a copy of its own. It does not reveal the id of the label's picture.
 */
export const labelCropId = (copyId: string, key: LabelKey) => hashName(`${copyId}-${cropNames[key]}`)

/** Returns the keys of a copy, of its cut-outs and of its crops, whether they exist or not. */
export function copyKeys(tenantId: string, copyId: string): string[] {
  const key = copyKey(tenantId, copyId)
  return [
    key,
    ...cutoutVariants.map((variant) => cutoutKey(key, variant)),
    ...labelKeys.map((label) => copyKey(tenantId, labelCropId(copyId, label))),
  ]
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
export async function deleteObjects(pictures: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeys) await pictures.delete(keys.slice(from, from + maxKeys))
}

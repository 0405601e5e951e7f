import { createHash } from 'node:crypto'
import { type LabelKey, labelKeys } from '../../labels/understanding/understand-label.ts'
import { randomLetters } from '../../platform/db/database.ts'
import type { Picture } from './garment-picture.ts'

/**
 * Returns an id for a stored copy. The URL of the whole picture contains the id, the URL of the annotated picture its
 * hash, and the URL of the cut-out the hash of that hash. So a cut-out's URL reveals no other URL. The storage key ends
 * like the cut-out's URL.
 */
export const newCopyId = () => randomLetters(26)

const hashName = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32)

export const annotatedCopyName = (copyId: string) => hashName(copyId)

export const picturePath = (tenantId: string, annotatedName: string) =>
  `/garment-tagging/annotated/${tenantId}/${annotatedName}`

/** Returns the path of the small picture for lists. It shows the cut-out unless a person prefers the photograph. */
export const thumbnailPath = (tenantId: string, { copyId, cutoutOff }: Pick<Picture, 'copyId' | 'cutoutOff'>) =>
  `${picturePath(tenantId, annotatedCopyName(copyId))}/thumbnail${cutoutOff ? '?cutout=off' : ''}`

export const copyPath = (tenantId: string, copyId: string) => `/garment-tagging/copy/${tenantId}/${copyId}`

export const cutoutPath = (tenantId: string, copyId: string) =>
  `/garment-tagging/cutout/${tenantId}/${hashName(annotatedCopyName(copyId))}`

export const tenantPicturesPrefix = (tenantId: string) => `copies/${tenantId}/`

export const keyOfCutout = (tenantId: string, name: string) => `${tenantPicturesPrefix(tenantId)}${name}`

export const keyOfAnnotated = (tenantId: string, name: string) => keyOfCutout(tenantId, hashName(name))

export const copyKey = (tenantId: string, copyId: string) => keyOfAnnotated(tenantId, annotatedCopyName(copyId))

const cutoutVariants = ['cut', 'cut-none', 'cut-4x5', 'cut-4x5-none', 'cut-3x4', 'cut-3x4-none'] as const

export type CutoutVariant = (typeof cutoutVariants)[number]

/** Returns the storage key of a cut-out. Keys of copies contain no dot, so the two never collide. */
export const cutoutKey = (keyOfCopy: string, variant: CutoutVariant) => `${keyOfCopy}.${variant}`

const cropNames = { Brand: 'brand', Size: 'size', Material: 'material', 'Country of Origin': 'origin' } as const

/** Returns the copy id of a label's crop. It does not reveal the copy id of the label's picture. */
export const labelCropId = (copyId: string, key: LabelKey) => hashName(`${copyId}-${cropNames[key]}`)

export function copyKeys(tenantId: string, copyId: string): string[] {
  const key = copyKey(tenantId, copyId)
  return [
    key,
    ...cutoutVariants.map((variant) => cutoutKey(key, variant)),
    ...labelKeys.map((label) => copyKey(tenantId, labelCropId(copyId, label))),
  ]
}

/** R2's limit for one deletion. */
const maxKeys = 1000

/** Deletes at most `limit` objects with a prefix, and returns their number. `limit` is at most 1,000. */
export async function deleteBelow(pictures: R2Bucket, prefix: string, limit: number): Promise<number> {
  const { objects } = await pictures.list({ prefix, limit })
  if (objects.length > 0) await pictures.delete(objects.map(({ key }) => key))
  return objects.length
}

export async function deleteObjects(pictures: R2Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxKeys) await pictures.delete(keys.slice(from, from + maxKeys))
}

import { type LabelKey, labelKeys } from '../../labels/understanding/understand-label.ts'
import { randomLetters } from '../../platform/db/database.ts'

/** An unguessable name of a copy, with 130 random bits. */
export const newCopyId = () => randomLetters(26)

export const picturePath = (tenantId: string, copyId: string) => `/garment-tagging/annotated/${tenantId}/${copyId}`

/** The path of the small copy, for lists. */
export const thumbnailPath = (tenantId: string, copyId: string) => `${picturePath(tenantId, copyId)}/thumbnail`

/** The path of the copy without anything drawn over it. */
export const copyPath = (tenantId: string, copyId: string) => `/garment-tagging/copy/${tenantId}/${copyId}`

export const cutoutPath = (tenantId: string, copyId: string) => `/garment-tagging/cutout/${tenantId}/${copyId}`

/** The prefix of the keys of a tenant's pictures, by which deleting the tenant finds them. */
export const tenantPicturesPrefix = (tenantId: string) => `copies/${tenantId}/`

/** The key of the copy that tagging stores. */
export const copyKey = (tenantId: string, copyId: string) => `${tenantPicturesPrefix(tenantId)}${copyId}`

const cutoutVariants = ['cut', 'cut-none', 'cut-4x5', 'cut-4x5-none'] as const

export type CutoutVariant = (typeof cutoutVariants)[number]

/** The key of a cut-out. No copy's name has a full stop, so that nothing else is found by it. */
export const cutoutKey = (tenantId: string, copyId: string, variant: CutoutVariant) =>
  `${copyKey(tenantId, copyId)}.${variant}`

const cropNames = { Brand: 'brand', Size: 'size', Material: 'material', 'Country of Origin': 'origin' } as const

/** The name of a crop of a label: a copy of its own, below that of the label's picture. */
export const labelCropId = (copyId: string, key: LabelKey) => `${copyId}-${cropNames[key]}`

/** The keys of a copy, of its cut-outs and of its crops, whether they exist or not. */
export const copyKeys = (tenantId: string, copyId: string): string[] => [
  copyKey(tenantId, copyId),
  ...cutoutVariants.map((variant) => cutoutKey(tenantId, copyId, variant)),
  ...labelKeys.map((key) => copyKey(tenantId, labelCropId(copyId, key))),
]

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

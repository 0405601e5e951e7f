import { isAllowed, namesByItem, rankedNames } from '../../correction/allowed-values.ts'
import type { CorrectionPatch } from '../../correction/check-corrections.ts'
import { confidenceIn } from '../../correction/correction.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { FormValues } from '../form.ts'
import { tagField } from './read-correction.ts'

type Tag = NonNullable<GarmentResult['tag']>

/** The field for a value that is not among the machine's alternatives; it wins over the choice among those. */
export const otherField = (name: string) => `other.${name}`

export const isDoubtful = (tag: Tag, name: string) => {
  const confidence = confidenceIn(tag, name)
  return confidence !== null && confidence !== 'High'
}

/**
 * What the form confirms and corrects: every value in doubt, and of the others those that were changed, or with
 * `confirmsAll` all of them. `tag` is the garment's tag as it was shown.
 */
export function readReview(values: FormValues, tag: Tag, confirmsAll: boolean): CorrectionPatch {
  const chosen = (name: string) => values[otherField(name)] || values[tagField(name)]
  const itemType = chosen('Item Type') ?? ''
  const isNewType = itemType !== tag['Item Type']
  const patch: Record<string, string> = {}
  for (const name of rankedNames) {
    const value = chosen(name)
    if (value === undefined) continue
    // The garment's fit may make no sense on the item type that was chosen.
    if (isNewType && namesByItem.includes(name) && !isAllowed(name, value, itemType)) continue
    if (confirmsAll || isDoubtful(tag, name) || value !== tag[name]) patch[name] = value
  }
  return { tag: patch, measurements: {} }
}

import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { dependsOnItemType, isAllowed, rankedNames, reviewedNames } from '../../correction/rules/allowed-values.ts'
import type { CorrectionPatch } from '../../correction/rules/check-corrections.ts'
import { confidenceIn } from '../../correction/rules/correction.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { FormValues } from '../form.ts'
import { tagField } from './read-correction.ts'

type Tag = NonNullable<GarmentResult['tag']>

/** The field for a value that is not among the predicted alternatives; it wins over the choice among those. */
export const otherField = (name: string) => `other.${name}`

export const isDoubtful = (tag: Tag, name: string, entries: Catalogue = catalogue) => {
  const confidence = confidenceIn(tag, name)
  return confidence !== null && confidence !== 'High' && reviewedNames(entries).includes(name)
}

/**
 * What the form confirms and corrects: every value in doubt, and of the others those that were changed, or with
 * `confirmsAll` all of them. `tag` is the garment's tag as it was shown.
 */
export function readReview(
  values: FormValues,
  tag: Tag,
  confirmsAll: boolean,
  entries: Catalogue = catalogue,
): CorrectionPatch {
  const chosen = (name: string) => values[otherField(name)] || values[tagField(name)]
  const itemType = chosen('Item Type') ?? ''
  const isNewType = itemType !== tag['Item Type']
  const patch: Record<string, string> = {}
  for (const name of rankedNames(entries)) {
    const value = chosen(name)
    if (value === undefined) continue
    // The garment's fit may make no sense on the item type that was chosen.
    if (isNewType && dependsOnItemType(name, entries) && !isAllowed(name, value, itemType, entries)) continue
    if (confirmsAll || isDoubtful(tag, name, entries) || value !== tag[name]) patch[name] = value
  }
  return { tag: patch, measurements: {} }
}

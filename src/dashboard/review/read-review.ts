import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { dependsOnItemType, isAllowed, rankedNames } from '../../correction/rules/allowed-values.ts'
import type { CorrectionPatch } from '../../correction/rules/check-corrections.ts'
import { confidenceIn } from '../../correction/rules/correction.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { FormValues } from '../form.ts'
import { tagField } from './read-correction.ts'

type Tag = NonNullable<GarmentResult['tag']>

/** The field for a value that is not among the predicted alternatives; it wins over the choice among those. */
export const otherField = (name: string) => `other.${name}`

export const chosenValue = (values: FormValues, name: string) => values[otherField(name)] || values[tagField(name)]

/** The values that the form shows as chosen. */
export const shownValues = (tag: Tag, entries: Catalogue = catalogue): FormValues =>
  Object.fromEntries(
    rankedNames(entries).flatMap((name) => {
      const value = tag[name]
      return typeof value === 'string' ? [[tagField(name), value]] : []
    }),
  )

/** @param reviewed the attributes that the tenant has reviewed */
export const isDoubtful = (tag: Tag, name: string, reviewed: readonly string[]) => {
  const confidence = confidenceIn(tag, name)
  return confidence !== null && confidence !== 'High' && reviewed.includes(name)
}

interface Looked {
  /** The attributes that the tenant wants reviewed. They are shown first. */
  readonly reviewed: readonly string[]
  /** Whether the person has checked all others too. */
  readonly confirmsAll: boolean
}

/**
 * What the form confirms and corrects: all reviewed attributes, whatever their confidence, and those of the others that
 * were changed. `tag` is the garment's present tag.
 */
export function readReview(
  values: FormValues,
  tag: Tag,
  { reviewed, confirmsAll }: Looked,
  entries: Catalogue = catalogue,
): CorrectionPatch {
  const itemType = chosenValue(values, 'Item Type') ?? ''
  const isNewType = itemType !== tag['Item Type']
  const isLookedAt = (name: string) => confirmsAll || reviewed.includes(name)
  const patch: Record<string, string> = {}
  for (const name of rankedNames(entries)) {
    const value = chosenValue(values, name)
    // Empty if the garment no longer has the attribute.
    if (value === undefined || value === '') continue
    // The garment's fit may make no sense on the item type that was chosen.
    if (isNewType && dependsOnItemType(name, entries) && !isAllowed(name, value, itemType, entries)) continue
    if (isLookedAt(name) || value !== tag[name]) patch[name] = value
  }
  return { tag: patch, measurements: {}, uncounted: Object.keys(patch).filter((name) => !isLookedAt(name)) }
}

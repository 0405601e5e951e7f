import { attributeSchema } from '../garment/fields.ts'
import type { GarmentRow } from '../garment/to-garment-response.ts'
import { garmentNotComplete, invalidCorrection } from './errors.ts'
import { supplyAttribute } from './rules/change-attribute.ts'
import type { CorrectionPatch } from './rules/check-corrections.ts'

/**
 * A garment as a person may correct it. A failed one has only what the client supplied and is described by hand, with
 * at least its type and colour, which every description needs. Throws 409 for any other garment that is not complete.
 */
export function correctableGarment(garment: GarmentRow, { tag }: CorrectionPatch): GarmentRow {
  if (garment.status === 'complete') return garment
  if (garment.status !== 'failed' || typeof tag['Item Type'] !== 'string') throw garmentNotComplete(garment.status)
  if (typeof tag['Colour'] !== 'string')
    throw invalidCorrection(['tag.Colour: must be given, to describe a failed garment by hand'])
  return describedByHand(garment)
}

/** A failed garment before it is described. */
export const describedByHand = (garment: GarmentRow): GarmentRow => ({
  ...garment,
  tag: supplyAttribute({ tag: {} }, attributeSchema.parse(JSON.parse(garment.attribute))),
  measurements: {},
})

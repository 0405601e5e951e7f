import { itemTypeOf } from '../../correction/rules/apply-corrections.ts'
import { failureReason } from '../../garment/errors/failure.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import { hasPicture, machineResult, type GarmentRow } from '../../garment/to-garment-response.ts'
import { Notice } from '../parts/text.tsx'
import { correctionPath } from '../paths.ts'
import type { ListValues } from './list/read-filter.ts'

interface RemeasuredProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly list: ListValues
}

/** Explains what happens to the measurements after a person has changed the item type. */
export const Remeasured = ({ garment, result, list }: RemeasuredProps) => {
  const itemType = result.tag?.['Item Type']
  if (garment.dueAt !== null)
    return (
      <Notice tone="busy" title={`The picture is being tagged and measured again as ${String(itemType)}.`}>
        <p data-without-scripts>
          <a href="">Reload</a>
        </p>
      </Notice>
    )
  if (!hasPicture(garment))
    return <Notice tone="calm" title={`Described by hand: ${failureReason(garment.failureReason)}`} />
  if (itemTypeOf(machineResult(garment)) === itemType) return null
  return (
    <Notice tone="bad" title={`Not measured as ${String(itemType)}: the picture could not be read again.`}>
      <p>
        <a href={correctionPath(garment.uuid, list)}>Enter the measurements by hand</a>
      </p>
    </Notice>
  )
}

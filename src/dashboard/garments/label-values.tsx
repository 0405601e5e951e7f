import { parseCorrections } from '../../garments/corrections/correction.ts'
import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { type LabelKey, labelKeys } from '../../labels/understanding/understand-label.ts'
import { Confidence } from './tag-notes.tsx'

/** The field whose value is the key that a person confirms. */
export const confirmedKeyField = 'label'

/** The form of the buttons. It is not the garment's form, in which the Enter key must not confirm a value. */
export const labelFormId = 'label-form'

const shortcuts: Readonly<Record<LabelKey, string>> = { Brand: 'b', Size: 's', Material: 'm', 'Country of Origin': 'o' }

interface LabelValuesProps {
  readonly garment: GarmentRow
  readonly label: NonNullable<GarmentResult['label']>
}

/** Shows what the label says, each value beside the crop that it was read from, with a button that confirms it. */
export const LabelValues = ({ garment, label }: LabelValuesProps) => {
  const { tag: corrections } = parseCorrections(garment.corrections)
  return (
    <dl class="facts label-values">
      {labelKeys.map((key) => {
        const value = label[key]
        if (value === undefined) return null
        const crop = label.proof[key]?.crop
        return (
          <div>
            <dt>{key}</dt>
            <dd>
              {value}{' '}
              {corrections[key] === undefined ? (
                <>
                  <Confidence level={label[`${key} Confidence`] ?? 'Low'} />{' '}
                  <button
                    class="quiet"
                    form={labelFormId}
                    name={confirmedKeyField}
                    value={key}
                    aria-keyshortcuts={shortcuts[key]}
                  >
                    Confirm<span class="visually-hidden"> {key}</span> <kbd aria-hidden="true">{shortcuts[key]}</kbd>
                  </button>
                </>
              ) : (
                <span class="hint">confirmed</span>
              )}
              {crop !== undefined && (
                <img src={new URL(crop).pathname} alt={`The label, where it says ${key}`} loading="lazy" />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

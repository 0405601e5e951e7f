import type { GarmentResult } from '../../garments/garment-fields.ts'
import { labelKeys } from '../../labels/understanding/understand-label.ts'
import { Confidence } from './tag-notes.tsx'

export const LabelValues = ({ label }: { readonly label: NonNullable<GarmentResult['label']> }) => (
  <dl class="facts">
    {labelKeys.map((key) => {
      const { [key]: value, [`${key} Confidence` as const]: confidence } = label
      const crop = label.proof[key]?.crop
      return (
        value !== undefined && (
          <div>
            <dt>{key}</dt>
            <dd>
              {value} <Confidence level={confidence ?? 'Low'} />
              {crop !== undefined && (
                <img src={new URL(crop).pathname} alt={`The label, where it says ${value}`} loading="lazy" />
              )}
            </dd>
          </div>
        )
      )
    })}
  </dl>
)

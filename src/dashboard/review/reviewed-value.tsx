import { allowedValues } from '../../correction/rules/allowed-values.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import { Confidence } from '../garments/tags.tsx'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { idOf, type FormState } from '../parts/fields.tsx'
import { tagField } from './read-correction.ts'
import { otherField } from './read-review.ts'

interface ReviewedValueProps {
  readonly name: string
  readonly tag: NonNullable<GarmentResult['tag']>
  readonly form: FormState
  /** Whether it has the initial focus. */
  readonly isFirst: boolean
  readonly isInDoubt: boolean
  readonly entries: Catalogue
}

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

/** The value of an attribute, its alternatives, and a list of all others that its item type can have. */
export const ReviewedValue = ({ name, tag, form, isFirst, isInDoubt, entries }: ReviewedValueProps) => {
  const current = text(tag[name])
  const shown = [current, ...[tag[`${name} Alternatives`] ?? []].flat()]
  const allowed = allowedValues(name, text(tag['Item Type']), entries)
  const others = Array.isArray(allowed) ? allowed.filter((value) => !shown.includes(value)) : []
  const [field, other] = [tagField(name), otherField(name)]
  const chosen = form.values[field] ?? current
  // A value that was chosen when it was still among those that are shown is in the list now.
  const listed = form.values[other] || chosen
  const problems = form.problems?.byField[field]
  return (
    <fieldset class={isInDoubt ? 'reviewed doubtful' : 'reviewed'}>
      <legend>
        {name} <Confidence level={text(tag[`${name} Confidence`])} />
      </legend>
      {problems !== undefined && (
        <p class="problem" id={`${idOf(field)}-problem`}>
          {problems.join(' ')}
        </p>
      )}
      <div class="values">
        {shown.map((value, i) => (
          <label class="choice">
            <input
              type="radio"
              name={field}
              value={value}
              id={i === 0 ? idOf(field) : undefined}
              checked={value === chosen}
              autofocus={isFirst && value === chosen}
            />
            <kbd aria-hidden="true">{i + 1}</kbd> {value}
          </label>
        ))}
        {others.length > 0 && (
          <select name={other} aria-label={`Another value for ${name}`}>
            <option value="">Another …</option>
            {others.map((value) => (
              <option value={value} selected={value === listed}>
                {value}
              </option>
            ))}
          </select>
        )}
      </div>
    </fieldset>
  )
}

import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { allowedMeasurements, allowedValues, correctableNames } from '../../correction/rules/allowed-values.ts'
import { itemTypeOf, type MachineResult } from '../../correction/rules/apply-corrections.ts'
import { lineName } from '../../correction/rules/measurement.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, type FormState } from '../parts/fields.tsx'
import { formItemType, measurementField, tagField } from './read-correction.ts'

interface CorrectionFieldsProps {
  readonly form: FormState
  readonly machine: MachineResult
  readonly entries?: Catalogue
}

/** A field for each value that the garment can have, with the predicted one beside it. */
export const CorrectionFields = ({ form, machine, entries = catalogue }: CorrectionFieldsProps) => {
  const itemType = formItemType(form.values, machine)
  const measurements = allowedMeasurements(itemType)
  return (
    <div data-renewed="">
      <div class="pair">
        {correctableNames(entries).map((name) => (
          <TagField form={form} machine={machine} name={name} itemType={itemType} entries={entries} />
        ))}
      </div>
      {measurements.length > 0 && (
        <fieldset>
          <legend>Measurements in cm</legend>
          <div class="pair">
            {measurements.map((name) => (
              <Field
                form={form}
                name={measurementField(name)}
                type="number"
                label={lineName(name)}
                hint={
                  machine.measurements[name] === undefined ? 'Not measured' : `Measured: ${machine.measurements[name]}`
                }
                optional
              />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  )
}

const TagField = ({
  form,
  machine,
  name,
  itemType,
  entries,
}: CorrectionFieldsProps & { name: string; itemType: string }) => {
  const allowed = allowedValues(name, itemType, entries)
  const predicted = machine.tag[name]
  const props = { form, name: tagField(name), label: name, hint: hintOf(machine, name), optional: true }
  if (allowed === 'text' || allowed === 'hex') return <Field {...props} />
  if (allowed === undefined || allowed.length === 0) return null
  const tagged = typeof predicted === 'string' ? [predicted] : []
  const alternatives = [machine.tag[`${name} Alternatives`] ?? []].flat().filter((value) => allowed.includes(value))
  const others = allowed.filter((value) => value !== predicted && !alternatives.includes(value))
  const groups = [
    {
      label: 'Tagged',
      values: tagged.filter((value) => allowed.includes(value) || itemType === itemTypeOf(machine)),
    },
    { label: 'Alternatives', values: alternatives },
    { label: 'Others', values: others },
  ]
  return <Choice {...props} empty="Not checked" groups={groups} />
}

function hintOf({ tag }: MachineResult, name: string): string {
  const [predicted, confidence] = [tag[name], tag[`${name} Confidence`]]
  if (typeof predicted !== 'string') return 'Not tagged'
  return typeof confidence === 'string' ? `Tagged: ${predicted} (${confidence})` : `Tagged: ${predicted}`
}

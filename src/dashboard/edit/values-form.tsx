import { conditions } from '../../listing/condition.ts'
import { plainKey } from '../../garment/plain-key.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, Summary, TextArea, type FormState } from '../parts/fields.tsx'
import { OtherChanges } from '../review/other-changes.tsx'
import { formatBase, type OtherChange } from '../review/stale-form.ts'
import { attributeField } from '../attribute-fields.ts'
import { valueNames, valuesOf } from './read-values.ts'

export const valuesFormId = 'values'

interface ValuesFormProps {
  readonly path: string
  readonly attribute: Readonly<Record<string, string>>
  /** Absent on the garment's own page. */
  readonly form?: FormState
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
}

/** The shop's own values of one garment: price, title, stock and any other column. */
export const ValuesForm = ({ path, attribute, form, changes = [] }: ValuesFormProps) => {
  const state = form ?? { values: valuesOf(attribute) }
  return (
    <details class="card" open={form !== undefined}>
      <summary>Change price, title or other values</summary>
      {/* Inside, because a link to an element in closed details opens them. */}
      <form id={valuesFormId} method="post" action={path} novalidate>
        {changes.length > 0 && <OtherChanges changes={changes} />}
        <Summary form={state} />
        <input type="hidden" name="base" value={formatBase(valuesOf(attribute))} />
        <p class="hint">An emptied field takes the value away. Your title and text stand in place of ours.</p>
        <div class="pair">
          {valueNames(attribute).map((name) => (
            <ValueField form={state} name={name} value={attribute[name] ?? ''} />
          ))}
          <Field form={state} name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
          <Field form={state} name="value" label="Its value" optional />
        </div>
        <div class="actions">
          <button>Save values</button>
        </div>
      </form>
    </details>
  )
}

const isCondition = (value: string) => value === '' || conditions.some((each) => each === value)

const ValueField = ({ form, name, value }: { form: FormState; name: string; value: string }) => {
  const field = { form, name: attributeField(name), label: name, optional: true }
  // A single-line field would lose the line breaks of an unchanged text.
  if (plainKey(name) === 'description' || value.includes('\n')) return <TextArea {...field} />
  if (plainKey(name) === 'condition' && isCondition(value))
    return <Choice {...field} empty="Not said" values={conditions} />
  return <Field {...field} />
}

import { z } from 'zod'
import type { AttributePatch } from '../../garments/corrections/attributes.ts'
import { binDays } from '../../garments/bin.ts'
import { attributeSchema, givenAttributeSchema } from '../../garments/fields.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { attributeField, type FormValues, parseFields } from '../form.ts'
import { selectedIds, selectField, withQuery } from '../parts/list.tsx'
import { Check, Choice, Field, Form, type FormState, Summary } from '../parts/fields.tsx'
import { editPath, garmentsDeletionPath, importsPath } from '../paths.ts'
import { conditions, stages } from '../../garments/own-values.ts'

/** The shop's own values that are changed most often, under the names that exports read. */
const editedNames = ['Price', 'Currency', 'Size', 'Condition', 'Stage', 'Stock', 'SKU'] as const

/** Those of which there are only so many values. */
export const listedValues: Readonly<Record<string, readonly string[]>> = { Condition: conditions, Stage: stages }

/** The box that removes such a value, or the column that has no field of its own. */
const removeField = (name: (typeof editedNames)[number] | 'other') => `remove.${name}`

export const editFields = [...editedNames.map(attributeField), 'other', 'value', 'scope']

/**
 * A column without a field of its own; empty if none is named. Throws 400 for a name without a value, or the reverse.
 */
export function readOther(values: FormValues): { readonly other: string; readonly value: string } {
  const other = values['other']?.trim() ?? ''
  const value = values['value']?.trim() ?? ''
  if (other === '' && value !== '') throw invalidBody(['other: name the column that is to have this value'])
  if (other !== '' && value === '') throw invalidBody(['value: must not be empty'])
  return { other, value }
}

/**
 * The values that every garment is to have, null for those that it is to lose. An empty field changes nothing. Throws
 * 400 where there is none, or where a value is given and removed.
 */
export function readEdit(values: FormValues): AttributePatch {
  const entries = editedNames.map((name) => [name, values[attributeField(name)]?.trim() ?? ''] as const)
  const removed = editedNames.filter((name) => values[removeField(name)] === 'yes')
  const other = readOtherEdit(values)
  const both = entries.filter(([name, text]) => text !== '' && removed.includes(name))
  if (both.length > 0)
    throw invalidBody(both.map(([name]) => `${attributeField(name)}: either give a value or remove it, not both`))
  const attribute = Object.fromEntries([...entries, [other.name, other.value ?? '']].filter(([, text]) => text !== ''))
  const names = [...removed, ...(other.value === null ? [other.name] : [])]
  if (Object.keys(attribute).length + names.length === 0)
    throw invalidBody(['Fill in at least one value, or choose one to remove.'])
  // The names of removed values are checked like those of others.
  parseFields(attributeSchema, Object.fromEntries(names.map((name) => [name, ''])))
  const parsed = parseFields(z.object({ attribute: givenAttributeSchema }), { attribute })
  return { ...parsed.attribute, ...Object.fromEntries(names.map((name) => [name, null])) }
}

/** The column that has no field of its own, and its value; null where it is to be removed. */
function readOtherEdit(values: FormValues): { readonly name: string; readonly value: string | null } {
  if (values[removeField('other')] !== 'yes') {
    const { other, value } = readOther(values)
    return { name: other, value }
  }
  const name = values['other']?.trim() ?? ''
  if (name === '') throw invalidBody(['other: name the column that is to be removed'])
  if (values['value']?.trim()) throw invalidBody(['value: either give a value or remove the column, not both'])
  return { name, value: null }
}

/** The selected garments; null for everything that the filter shows. Throws 400 if none is selected. */
export function readSelection(values: FormValues): readonly string[] | null {
  if (values['scope'] === 'all') return null
  const uuids = selectedIds(values)
  if (uuids.length === 0) throw invalidBody(['scope: select at least one garment, or all that the list shows'])
  return uuids
}

/** The checkboxes of the table refer to the form by this id. */
export const editFormId = 'edit'

interface EditFormProps {
  readonly form?: FormState
  /** The filter of the list. */
  readonly filter: Readonly<Record<string, string | undefined>>
  /** The garments whose boxes were ticked, on a page without the list. */
  readonly selected?: readonly string[]
}

/** Changes a shop's own values for many garments at once. */
export const EditForm = ({ form, filter, selected = [] }: EditFormProps) => (
  <details class="card" open={form !== undefined}>
    <summary>Change several garments</summary>
    <Form
      id={editFormId}
      action={withQuery(editPath, filter)}
      form={form}
      fields={Object.fromEntries(selected.map((uuid) => [selectField(uuid), 'yes']))}
    >
      <Summary />
      <p class="hint">
        Empty fields change nothing. <a href={importsPath}>Change them by CSV</a>
      </p>
      <div class="pair">
        {editedNames.map((name) =>
          listedValues[name] !== undefined ? (
            <Choice name={attributeField(name)} label={name} empty="As it is" values={listedValues[name]} optional />
          ) : (
            <Field name={attributeField(name)} label={name} optional />
          ),
        )}
        <Field name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
        <Field name="value" label="Its value" optional />
      </div>
      <fieldset>
        <legend>Remove values</legend>
        <p class="hint">What you tick is removed from the garments that have it. Their histories can bring it back.</p>
        <div class="pair">
          {editedNames.map((name) => (
            <Check name={removeField(name)} label={`Remove ${name}`} />
          ))}
          <Check name={removeField('other')} label="Remove the other column" />
        </div>
      </fieldset>
      <div class="actions">
        <button name="scope" value="selected">
          Change the selected
        </button>
        <button class="plain" name="scope" value="all">
          Change all that the list finds
        </button>
      </div>
    </Form>
  </details>
)

/** The button belongs to the form above, whose checkboxes select the garments. */
export const DeleteSelected = ({ filter }: Pick<EditFormProps, 'filter'>) => (
  <details class="card confirm">
    <summary>Delete several garments</summary>
    <div class="panel">
      <p>The selected garments go into the bin, which keeps them for {binDays} days.</p>
      <button class="bad" form={editFormId} formaction={withQuery(garmentsDeletionPath, filter)}>
        Put the selected into the bin
      </button>
    </div>
  </details>
)

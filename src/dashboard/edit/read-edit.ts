import { attributeSchema } from '../../garment/fields.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { parseFields, type FormValues } from '../form.ts'

/** The shop's own values that are changed most often, under the names that exports read. */
export const editedNames = ['Price', 'Currency', 'Size', 'Condition', 'Stock', 'SKU'] as const

/** The field of such a value. */
export const editField = (name: string) => `attribute.${name}`

/** Precedes the uuid in the name of a garment's checkbox. */
const selectedPrefix = 'select.'

export const selectField = (uuid: string) => `${selectedPrefix}${uuid}`

/** A page of the list has fewer. */
const maxSelected = 100

export const editFields = [...editedNames.map(editField), 'other', 'value', 'scope']

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

/** The values that every garment is to have. An empty field changes nothing. Throws 400 if all are empty. */
export function readEdit(values: FormValues): Readonly<Record<string, string>> {
  const { other, value } = readOther(values)
  const given = [...editedNames.map((name) => [name, values[editField(name)]?.trim() ?? '']), [other, value]]
  const attribute = Object.fromEntries(given.filter(([, text]) => text !== ''))
  if (Object.keys(attribute).length === 0) throw invalidBody(['Fill in at least one value.'])
  return parseFields(attributeSchema, attribute)
}

/** The selected garments; null for everything that the filter shows. Throws 400 if none is selected. */
export function readSelection(values: FormValues): readonly string[] | null {
  if (values['scope'] === 'all') return null
  const uuids = selectedUuids(values)
  if (uuids.length === 0) throw invalidBody(['scope: select at least one garment, or all that the list shows'])
  return uuids
}

/** The garments whose boxes were ticked. */
export const selectedUuids = (values: FormValues): readonly string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(selectedPrefix))
    .map((name) => name.slice(selectedPrefix.length))
    .slice(0, maxSelected)

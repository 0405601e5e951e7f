import type { AttributePatch } from '../../correction/rules/change-attribute.ts'
import { attributeSchema } from '../../garment/fields.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { attributeField } from '../attribute-fields.ts'
import { parseFields, type FormValues } from '../form.ts'
import { selectedIds } from '../parts/list.tsx'

/** The shop's own values that are changed most often, under the names that exports read. */
export const editedNames = ['Price', 'Currency', 'Size', 'Condition', 'Stock', 'SKU'] as const

/** The box that removes such a value, or the column that has no field of its own. */
export const removeField = (name: (typeof editedNames)[number] | 'other') => `remove.${name}`

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
  const given = editedNames.map((name) => [name, values[attributeField(name)]?.trim() ?? ''] as const)
  const removed = editedNames.filter((name) => values[removeField(name)] === 'yes')
  const other = readOtherEdit(values)
  const both = given.filter(([name, text]) => text !== '' && removed.includes(name))
  if (both.length > 0)
    throw invalidBody(both.map(([name]) => `${attributeField(name)}: either give a value or remove it, not both`))
  const attribute = Object.fromEntries([...given, [other.name, other.value ?? '']].filter(([, text]) => text !== ''))
  const names = [...removed, ...(other.value === null ? [other.name] : [])]
  if (Object.keys(attribute).length + names.length === 0)
    throw invalidBody(['Fill in at least one value, or choose one to remove.'])
  // The names of removed values are checked like those of others.
  parseFields(attributeSchema, Object.fromEntries(names.map((name) => [name, ''])))
  return { ...parseFields(attributeSchema, attribute), ...Object.fromEntries(names.map((name) => [name, null])) }
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

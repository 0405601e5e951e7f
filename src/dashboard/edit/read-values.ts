import { plainKey } from '../../garment/plain-key.ts'
import type { Attribute } from '../../vision/tagging.ts'
import type { FormValues } from '../form.ts'
import { attributeField } from '../attribute-fields.ts'
import { readOther } from './read-edit.ts'

/** The values that shops state most often, in the order of the form. */
const usualNames = ['Title', 'Description', 'Price', 'Currency', 'Size', 'Condition', 'Stock', 'SKU']

/** The names with a field: the usual ones as the garment spells them, then its others. */
export function valueNames(attribute: Attribute): string[] {
  const own = new Map(Object.keys(attribute).map((name) => [plainKey(name), name]))
  const usual = usualNames.map((name) => own.get(plainKey(name)) ?? name)
  return [...usual, ...Object.keys(attribute).filter((name) => !usual.includes(name))]
}

export const valuesOf = (attribute: Attribute): FormValues =>
  Object.fromEntries(valueNames(attribute).map((name) => [attributeField(name), attribute[name] ?? '']))

/**
 * The values that differ from the garment's. An emptied field removes its value. Throws 400 for a column with only a
 * name or only a value.
 */
export function readValues(attribute: Attribute, values: FormValues): Readonly<Record<string, string | null>> {
  const { other, value } = readOther(values)
  const given = valueNames(attribute).flatMap((name): [string, string | null][] => {
    const text = values[attributeField(name)]?.trim()
    if (text === undefined || text === (attribute[name] ?? '').trim()) return []
    return [[name, text === '' ? null : text]]
  })
  return Object.fromEntries(other === '' ? given : [...given, [other, value]])
}

import { knownAttributes } from '../garment/fields.ts'
import type { FormValues } from './form.ts'

/** The name of an attribute's field, which is that of the API's problems. */
export const attributeField = (name: string) => `attribute.${name}`

/** The attributes that an upload has a field for. Empty fields are omitted. */
export function readKnownAttributes(values: FormValues): Record<string, string> {
  const given = knownAttributes.map((name) => [name, values[attributeField(name)]?.trim() ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

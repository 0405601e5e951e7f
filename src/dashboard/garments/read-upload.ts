import type { FormValues } from '../form.ts'
import { parseLines } from '../lines.ts'

/** The attributes that the tagger knows, which have fields of their own; any other is a line of text. */
export const knownAttributes = ['Brand', 'Category', 'Gender', 'Material', 'Studio'] as const

const known = new Set<string>(knownAttributes)

export const uploadFields = ['uuid', 'image_url', ...knownAttributes.map((key) => `attribute.${key}`), 'attribute']

/** The body that the API would be sent; fields that were left empty are no attributes. */
export function readUpload(values: FormValues) {
  const { uuid = '', image_url = '', attribute: others = '' } = values
  const given = knownAttributes.flatMap((key) => {
    const value = values[`attribute.${key}`]?.trim() ?? ''
    return value === '' ? [] : [[key, value] as const]
  })
  const { values: more, problems } = parseLines(others, 'attribute')
  const repeated = Object.keys(more).filter((key) => known.has(key))
  return {
    upload: { uuid: uuid.trim(), image_url: image_url.trim(), attribute: { ...more, ...Object.fromEntries(given) } },
    problems: [...problems, ...repeated.map((key) => `attribute: ${key} has a field of its own`)],
  }
}

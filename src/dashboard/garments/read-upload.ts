import { knownAttributes } from '../../garment/fields.ts'
import { attributeField, readKnownAttributes } from '../attribute-fields.ts'
import type { FormValues } from '../form.ts'
import { parseLines } from '../name-value-lines.ts'

/** Attributes with a field of their own. All others are entered as lines of text. */
const known = new Set<string>(knownAttributes)

export const uploadFields = ['uuid', 'image_url', ...knownAttributes.map(attributeField), 'attribute']

/** Converts the form to the body of an upload request. Empty fields are omitted. */
export function readUpload(values: FormValues) {
  const { uuid = '', image_url = '', attribute: others = '' } = values
  const { values: more, problems } = parseLines(others, 'attribute')
  const repeated = Object.keys(more).filter((key) => known.has(key))
  return {
    upload: { uuid: uuid.trim(), image_url: image_url.trim(), attribute: { ...more, ...readKnownAttributes(values) } },
    problems: [...problems, ...repeated.map((key) => `attribute: ${key} has a field of its own`)],
  }
}

import { knownAttributes } from '../../src/garments/garment-fields.ts'
import type { StoredLabel } from '../../src/garments/label.ts'
import { formatResult } from '../../src/garments/stored-result.ts'
import { sortedJson } from '../../src/garments/upload-garment.ts'
import type { TaggingDetails } from '../../src/vision/tag-picture.ts'

const probabilityOf = { High: 0.95, Medium: 0.6, Low: 0.1 } as const

export interface ResultValues {
  readonly tag?: Readonly<Record<string, string | readonly string[]>>
  readonly measurements?: Record<string, number>
  /** Same form as in `TaggingDetails`. */
  readonly details?: object
  readonly label?: StoredLabel
}

/** Builds a stored result. Missing probabilities are derived from the confidences of the tag. */
export function storedResult({ tag = {}, measurements = {}, details: given = {}, label }: ResultValues = {}): string {
  const details: Partial<TaggingDetails> = given
  const probabilities: Record<string, readonly number[]> = {}
  for (const [key, confidence] of Object.entries(tag)) {
    const name = key.replace(/ Confidence$/, '')
    if (name === key) continue
    const best = probabilityOf[confidence as 'High']
    const others = [tag[`${name} Alternatives`] ?? []].flat()
    probabilities[name] = [best, ...others.map((_, i) => Math.round(((1 - best) / (i + 2)) * 1000) / 1000)]
  }
  const complete = {
    shown: 'flat',
    scale: Object.keys(measurements).length === 0 ? null : 'estimate',
    notes: [],
    tagger: '1.0',
    view: { size: [600, 800], lines: {} },
    ...details,
    probabilities: { ...probabilities, ...details.probabilities },
  } as const
  return formatResult({ tag, measurements, details: complete }, label)
}

/** The columns of a garment with a result of these values. What only the client can tell becomes its attribute. */
export function withResult<T extends ResultValues & { readonly attribute?: string }>({
  tag = {},
  measurements = {},
  details = {},
  label,
  ...row
}: T) {
  const supplied = Object.entries(tag).filter(([name]) => knownAttributes.includes(name) && name !== 'Category')
  const attribute = { ...Object.fromEntries(supplied), ...JSON.parse(row.attribute ?? '{}') } as Record<string, string>
  return {
    result: storedResult({ tag, measurements, details, ...(label && { label }) }),
    ...row,
    attribute: sortedJson(attribute),
  }
}

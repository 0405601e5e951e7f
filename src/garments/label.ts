import { z } from '@hono/zod-openapi'
import { type LabelKey, labelKeys, labelOnlyKeys } from '../labels/understanding/understand-label.ts'
import { confidences } from '../vision/rank.ts'
import type { Attribute } from '../vision/tagging.ts'
import type { Corrections } from './corrections/correction.ts'
import { listingNames, plainKey, readListingValue } from './listing-values.ts'
import { copyPath, labelCropId } from './pictures/stored-copy.ts'
import type { Picture } from './pictures/garment-picture.ts'

const confidence = z.enum(confidences)

const box = z
  .tuple([z.int(), z.int(), z.int(), z.int()])
  .openapi({ type: 'array', items: { type: 'integer' }, minItems: 4, maxItems: 4 })

/** Values read from a garment's labels, as stored in its result. Unread values are absent. */
export const storedLabelSchema = z.partialRecord(
  z.enum(labelKeys),
  z.object({
    value: z.string(),
    confidence,
    picture: z.string(),
    box,
  }),
)

export type StoredLabel = z.infer<typeof storedLabelSchema>

const proof = z.object({
  id: z.string().openapi({ description: 'Id of the picture that the value was read from.' }),
  box: box.openapi({ description: 'Left, top, right and bottom of the value, in pixels of the upright original.' }),
  crop: z.string().openapi({ description: 'Public URL of a small JPEG of the lines that the value was read from.' }),
})

const text = z.string().optional()

export const labelResponseSchema = z
  .object({
    Brand: text,
    'Brand Confidence': confidence.optional(),
    Size: text,
    'Size Confidence': confidence.optional(),
    Material: text,
    'Material Confidence': confidence.optional(),
    'Country of Origin': text,
    'Country of Origin Confidence': confidence.optional(),
    proof: z.partialRecord(z.enum(labelKeys), proof),
  })
  .openapi({
    description:
      'What pictures of the label say, with only the keys that were read. `tag` contains `Brand` and `Material` from here ' +
      'if the upload gave none and the confidence is High or Medium. Values with Low confidence are suggestions for people.',
  })

interface LabelSource {
  readonly tenantId: string
  readonly stored: StoredLabel | undefined
  readonly corrections: Corrections
  readonly pictures: readonly Picture[]
}

/** Builds the label of a response. Corrected values replace read ones. Null without a label. */
export function toLabelResponse({ tenantId, stored, corrections, pictures }: LabelSource, base: string) {
  const corrected = (key: LabelKey) => corrections.tag[key]?.value
  if (stored === undefined && labelOnlyKeys.every((key) => corrected(key) === undefined)) return null
  const response: z.infer<typeof labelResponseSchema> = { proof: {} }
  for (const key of labelKeys) {
    const value = corrected(key)
    const isRejected = stored?.[key]?.confidence === 'Low' && stored[key].value === corrections.rejected[key]
    const read = isRejected ? undefined : stored?.[key]
    if (read !== undefined || value !== undefined) {
      response[key] = value ?? read?.value
      response[`${key} Confidence`] = value === undefined ? read?.confidence : 'High'
    }
    const copyId = pictures.find(({ id }) => id === read?.picture)?.copyId
    if (read === undefined || copyId === undefined) continue
    response.proof[key] = { id: read.picture, box: read.box, crop: base + copyPath(tenantId, labelCropId(copyId, key)) }
  }
  return response
}

/** Names under which clients give a label's values, as `plainKey` folds them. */
export const clientNames: Readonly<Record<LabelKey, readonly string[]>> = {
  Brand: listingNames.brand.map(plainKey),
  Size: listingNames.size.map(plainKey),
  Material: [plainKey('Material')],
  'Country of Origin': [plainKey('Country of Origin')],
}

/** Returns the keys whose value is only suggested: its confidence is Low, and the client gave none. */
export const suggestedKeys = (label: z.infer<typeof labelResponseSchema> | null, attribute: Attribute): LabelKey[] =>
  labelKeys.filter(
    (key) => label?.[`${key} Confidence`] === 'Low' && readListingValue(attribute, clientNames[key]) === '',
  )

/** Returns a High or Medium label value, which counts if the client gave none. */
export function certainValue(stored: StoredLabel | undefined, name: string) {
  const key = labelKeys.find((each) => each === name)
  const read = key === undefined ? undefined : stored?.[key]
  return read === undefined || read.confidence === 'Low' ? undefined : read
}

/** Returns the text of the size that counts: a correction, the client's value, or a certain value of the label. */
export const sizeText = (attribute: Attribute, corrections: Corrections, stored: StoredLabel | undefined): string =>
  corrections.tag['Size']?.value ||
  readListingValue(attribute, listingNames.size) ||
  (certainValue(stored, 'Size')?.value ?? '')

interface SizedGarment {
  readonly attribute: Attribute
  readonly label?: Pick<z.infer<typeof labelResponseSchema>, 'Size' | 'Size Confidence'> | null | undefined
  readonly corrected?: readonly string[] | undefined
}

/** Returns the size that counts from a garment's response. */
export function shownSize({ attribute, label, corrected = [] }: SizedGarment): string {
  const size = label?.['Size Confidence'] === 'Low' ? '' : (label?.Size ?? '')
  return (corrected.includes('Size') ? size : '') || readListingValue(attribute, listingNames.size) || size
}

const plain = (value: string) =>
  value
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/** Stems of fibre names in English, German, French, Spanish and Italian, without accents. */
const fibreStems: readonly (readonly [fibre: string, ...stems: string[]])[] = [
  ['cotton', 'baumwoll', 'coton', 'algodon'],
  ['polyester', 'poliester'],
  ['elastane', 'elasthan', 'elastan', 'spandex', 'lycra'],
  ['polyamide', 'polyamid', 'poliamid', 'poliammid', 'nylon', 'nailon'],
  ['viscose', 'viskose', 'viscosa', 'rayon'],
  ['acrylic', 'acryl', 'polyacryl', 'acrilic'],
  ['wool', 'wolle', 'schurwoll', 'laine', 'lana', 'merino'],
  ['linen', 'leinen', 'lin', 'lino', 'flax'],
  ['silk', 'seide', 'soie', 'seda', 'seta'],
  ['cashmere', 'kaschmir', 'cachemir'],
  ['leather', 'leder', 'cuir', 'cuero', 'pelle', 'piel'],
  ['down', 'daune', 'duvet', 'plumon', 'piumin'],
]

/** Shorter stems must be whole words, because other words begin like them. */
const minPrefix = 5

function namedFibres(text: string): string[] {
  const folded = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
  const words = folded.match(/[a-z]+/g) ?? []
  const isNamed = (stem: string) =>
    words.some((word) => word === stem || (stem.length >= minPrefix && word.startsWith(stem)))
  return fibreStems.filter((stems) => stems.some(isNamed)).map(([fibre]) => fibre)
}

const letterSize = /^(?:\d?X{0,3}[SML]|XX?XL)$/

export function contradictions(stored: StoredLabel | undefined, attribute: Attribute): string[] {
  const sentenceFor = (key: LabelKey, isDifferent: (label: string, given: string) => boolean) => {
    const label = certainValue(stored, key)?.value
    const given = Object.entries(attribute).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] ?? ''
    if (label === undefined || given.trim() === '' || !isDifferent(label, given)) return []
    const shown = key === 'Material' ? label.replaceAll('%', ' %').toLowerCase() : label
    return [`The label says ${shown}, but ${key} says ${given.trim()}.`]
  }
  return [
    ...sentenceFor(
      'Brand',
      (label, given) => !plain(given).includes(plain(label)) && !plain(label).includes(plain(given)),
    ),
    ...sentenceFor('Size', (label, given) => {
      const [first, second] = [label.toUpperCase(), given.trim().toUpperCase()]
      return letterSize.test(first) && letterSize.test(second) && normaliseLetter(first) !== normaliseLetter(second)
    }),
    ...sentenceFor('Material', (label, given) => namedFibres(given).some((name) => !namedFibres(label).includes(name))),
  ]
}

const normaliseLetter = (size: string) => size.replace(/^X{2,}(?=L)/, (xs) => `${xs.length}X`)

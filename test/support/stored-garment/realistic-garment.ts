import { rankedNames, allowedValues, measurementKey } from '../../../src/garments/corrections/allowed-values.ts'
import { alternativesOf, toEntries } from '../../../src/vision/rank.ts'
import type { TaggingDetails } from '../../../src/vision/tag-picture.ts'
import { taggerVersion } from '../../../src/vision/tagging.ts'
import { itemOf, itemTypes } from '../../../src/vision/taxonomy/item-types.ts'
import type { LinePoints } from '../../../src/vision/view.ts'

const brands = ['Zara', 'H&M', "Levi's", 'Tommy Hilfiger', 'COS', 'Massimo Dutti', 'Nike', 'Mango', 'Uniqlo', 'Arket']
const materials = ['100 % cotton', 'Wool blend', '80 % viscose, 20 % linen', 'Polyester', 'Denim, 98 % cotton']
const sizes = ['S', 'M', 'L', 'EU 38', 'W32 L34', 'XL', 'UK 12']
const conditions = ['New with tags', 'Very good', 'Good', 'Worn, small flaws']
const texts = [
  'Lightly worn, no stains. From a smoke-free home.',
  'Soft and warm, with a straight cut; bought in 2023 and worn a few times only. One small pulled thread at the left cuff, see the last picture.',
  'A classic that goes with everything: dark, heavy cloth and a clean finish. Washed once at 30 degrees, never tumble-dried. Fits true to its size.',
  'Vintage piece in very good shape for its age.',
]

/** Generates numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Builds a garment of a second-hand shop with its tagging result and receiver response. It has 15 attributes, a CDN URL
 * and a response of 200 bytes. Every tenth garment is delivered at the third attempt. The same `seed` gives the same
 * garment.
 */
export function realisticGarment(seed: number) {
  const random = randomFrom(seed)
  const pick = <T>(values: readonly T[]): T => {
    const [value] = values.slice(Math.floor(random() * values.length))
    if (value === undefined) throw new Error('There is nothing to pick')
    return value
  }
  const digits = (count: number) => String(Math.floor(random() * 10 ** count)).padStart(count, '0')

  const itemType = pick(itemTypes)
  const item = itemOf(itemType)
  const ranked = rankedNames().map((name) => {
    const allowed = allowedValues(name, itemType)
    const values = (typeof allowed === 'string' ? [] : (allowed ?? [])).filter((value) => value !== itemType)
    const first = name === 'Item Type' ? itemType : pick(values.length === 0 ? [''] : values)
    let left = 1
    const shares = [first, ...values.filter((value) => value !== first).sort(() => random() - 0.5)].map((value, i) => {
      const probability = left * (i === 0 ? 0.5 + random() / 2 : 0.7)
      left -= probability
      return { value, probability }
    })
    return [name, first === '' ? [] : shares] as const
  })
  const isMeasured = random() < 0.6
  const scale = pick(['estimate', 'card', 'studio'] as const)
  const cm = () => Math.round((20 + random() * 80) * 2) / 2
  const measured = isMeasured ? item.measurements.slice(0, 4) : []
  const line = () => [0, 0, 0, 0].map(() => Math.floor(random() * 4000)) as unknown as LinePoints
  const number = () => Number((random() - 0.5).toPrecision(6))
  const details: TaggingDetails = {
    shown: pick(['flat', 'flat', 'hanging', 'worn']),
    scale: measured.length === 0 ? null : scale,
    notes: pick([[], [], ['estimate'], ['estimate', 'reaches_edge']]),
    probabilities: Object.fromEntries(
      ranked.flatMap(([name, [best, ...others]]) =>
        best === undefined
          ? []
          : [[name, [best, ...alternativesOf(others)].map(({ probability }) => Math.round(probability * 1000) / 1000)]],
      ),
    ),
    tagger: taggerVersion,
    view: {
      size: [3024, 4032],
      ...(scale === 'card' ? { scale: Array.from({ length: 8 }, number) } : {}),
      ...(scale === 'studio' ? { scale: Math.abs(number()) } : {}),
      lines: Object.fromEntries(measured.map((name) => [name, line()])),
    },
  }
  const [brand, material] = [pick(brands), pick(materials)]
  const colour = ranked.find(([name]) => name === 'Colour')?.[1][0]?.value ?? ''
  const title = `${brand} ${colour.toLowerCase()} ${itemType.toLowerCase()} ${pick(['vintage', 'slim', 'oversized', ''])}`
  const attribute = {
    Brand: brand,
    Category: item.category,
    Gender: item.gender ?? 'Unisex',
    Material: material,
    Size: pick(sizes),
    Title: title.trim(),
    Description: pick(texts),
    Price: `${digits(2)}.90`,
    Currency: 'EUR',
    Condition: pick(conditions),
    SKU: `SH-${digits(6)}`,
    Stock: '1',
    Barcode: digits(13),
    Shelf: `B${digits(2)}-${digits(3)}`,
    Season: pick(['Autumn 2026', 'Spring 2026', 'All year']),
  }
  const file = `${title}-${digits(4)}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const answer = JSON.stringify({ ok: true, id: digits(12), note: 'x'.repeat(200) }).slice(0, 198) + '"}'
  return {
    imageUrl: `https://cdn.shop-images.example/s/files/1/0${digits(3)}/${digits(4)}/${digits(4)}/files/${file}.jpg?v=${digits(10)}`,
    attribute,
    tag: {
      ...Object.fromEntries(
        ['Brand', 'Category', 'Gender', 'Material'].map((name) => [name, attribute[name as 'Brand']]),
      ),
      ...Object.assign({}, ...ranked.map(([name, shares]) => toEntries(name, shares))),
      'Colour Hex': `#${digits(6)}`,
    } as Record<string, string | string[]>,
    measurements: Object.fromEntries(measured.map((name) => [measurementKey(name), cm()])),
    details,
    answer,
    attempts: seed % 10 === 0 ? 3 : 1,
    // One that no number can hold exactly begins with a digit above 0.
    hash: { bits: `1${digits(15)}000`, colours: `1${digits(15)}00` },
  }
}

import type { TextLine } from '../reading/read-lines.ts'
import { type FoldedLine, foldRow } from './find-words.ts'
import type { LabelWords } from './label-words.ts'
import { type Brand, readBrand } from './read-brand.ts'
import { type Composition, readComposition } from './read-composition.ts'
import { type Origin, readOrigin } from './read-origin.ts'
import { findLoneSizeWord, readSize, type Size } from './read-size.ts'

export const labelKeys = ['Brand', 'Size', 'Material', 'Country of Origin'] as const

/** The keys that are not attributes of a tag. */
export const labelOnlyKeys = ['Size', 'Country of Origin'] as const satisfies readonly (typeof labelKeys)[number][]

export type LabelKey = (typeof labelKeys)[number]

export type LabelConfidence = 'High' | 'Medium' | 'Low'

interface LabelValue {
  readonly value: string
  readonly confidence: LabelConfidence
  readonly lines: readonly number[]
}

export type LabelValues = Partial<Record<LabelKey, LabelValue>>

function foldRows(lines: readonly TextLine[]): FoldedLine[] {
  const indexed = lines.map((line, index) => ({ line, index }))
  return [...Map.groupBy(indexed, ({ line }) => line.row)].map(([row, each]) => foldRow(each, row))
}

/** Finds the word for size if no size was read. Returns the index of its line. */
export function findOpenSize(lines: readonly TextLine[], words: LabelWords): number | undefined {
  const rows = foldRows(lines)
  return readSize(rows, words) === undefined ? findLoneSizeWord(rows, words) : undefined
}

/** Reads what a label says. A value that was not read is absent. */
export function understandLabel(lines: readonly TextLine[], words: LabelWords): LabelValues {
  const folded = foldRows(lines)
  const material = readComposition(folded, words)
  const origin = readOrigin(folded, words)
  const size = readSize(folded, words)
  const taken = new Set([material, origin, size].flatMap((each) => each?.lines ?? []))
  const brand = readBrand(folded, words, taken)
  return {
    ...(brand && { Brand: { value: brand.value, lines: brand.lines, confidence: trustBrand(brand) } }),
    ...(size && { Size: { value: size.value, lines: size.lines, confidence: trustSize(size) } }),
    ...(material && {
      Material: { value: material.value, lines: material.lines, confidence: trustMaterial(material) },
    }),
    ...(origin && {
      'Country of Origin': { value: origin.value, lines: origin.lines, confidence: trustVotes(origin) },
    }),
  }
}

function trustMaterial(material: Composition): LabelConfidence {
  const confidence = trustVotes(material)
  return confidence === 'High' && material.hasOthers && material.votes === 1 ? 'Medium' : confidence
}

function trustVotes({ votes, rivals, cost }: Composition | Origin): LabelConfidence {
  if (rivals > 0.5) return 'Low'
  if (cost <= 0.3 || (votes > 1 && cost <= 0.8)) return 'High'
  return cost <= 1.5 ? 'Medium' : 'Low'
}

function trustSize({ evidence, probability }: Size): LabelConfidence {
  if (evidence >= 0.9 && probability >= 0.9) return 'High'
  return evidence >= 0.7 && probability >= 0.7 ? 'Medium' : 'Low'
}

function trustBrand({ isListed, cost, share, value }: Brand): LabelConfidence {
  if (!isListed) return 'Low'
  if (cost <= 0.3 && share >= 0.8 && value.length > 2) return 'High'
  return cost <= 1 ? 'Medium' : 'Low'
}

import type { ItemType } from '../../vision/taxonomy/item-types.ts'
import type { Condition } from '../own-values.ts'
import type { Wearer } from '../../vision/attributes/wearer.ts'

/** The parts of a title, in the words of its language; empty if unknown. */
export interface TitleParts {
  readonly brand: string
  readonly itemType: string
  readonly wearer: string
  readonly pattern: string
  readonly colour: string
}

/**
 * A language of the listings: templates, and a table for each attribute. An empty word says nothing on purpose, for
 * example of a plain cloth. To add a language, write such a file and name it in `languages.ts`.
 */
export interface ListingWords {
  /** The language's name in the language. */
  readonly name: string
  readonly itemTypes: Readonly<Record<ItemType, string>>
  /**
   * By attribute and value. All but the colours fit behind `title`'s item type, of whatever gender and number, or stand
   * alone.
   */
  readonly values: Readonly<Record<ListedAttribute, Readonly<Record<string, string>>>>
  readonly measurements: Readonly<Record<string, string>>
  /** The measurement Cuff of a short sleeve. */
  readonly sleeveOpening: string
  readonly wearers: Readonly<Record<Wearer, string>>
  readonly conditions: Readonly<Record<Condition, string>>
  /** A title's beginning, which its size may follow, and the first sentence of the text. */
  readonly title: (parts: TitleParts) => string
  readonly sentence: (parts: TitleParts) => string
  readonly size: (size: string) => string
  readonly labels: Readonly<Record<Label, string>>
  readonly decimalPoint: ',' | '.'
  /** Between a label and its value, with the spaces around it. */
  readonly colon: string
}

type Label = 'size' | 'material' | 'fabric' | 'condition' | 'measurements' | 'estimated' | 'flat' | 'flatEstimated'

/** The attributes that have a table of values. The others are the client's own words, or not for customers. */
export const listedAttributes = ['Colour', 'Pattern', 'Neckline', 'Sleeve', 'Closure', 'Fit', 'Fabric Type'] as const

export type ListedAttribute = (typeof listedAttributes)[number]

/** Joins what is known. */
export const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

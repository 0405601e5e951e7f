import type { ColourReading } from '../colour/rank-colours.ts'
import type { Prediction } from '../predict/predict-picture.ts'
import type { Ranked } from '../rank.ts'
import type { Attribute } from '../tagging.ts'
import { type ItemType, itemOf, itemTypes } from '../taxonomy/item-types.ts'
import type { Item } from '../taxonomy/types.ts'

/** What the values of an attribute are concluded from. */
export interface Evidence {
  readonly itemType: ItemType
  readonly heads: Prediction['heads']
  readonly colour: ColourReading
  /** What the client supplied. */
  readonly attribute: Attribute
}

/** The values that an attribute can have. An empty list means that it does not apply to the item type. */
export type AllowedValues = 'text' | 'hex' | readonly string[]

interface Entry {
  /** The key of the tag. */
  readonly name: string
  /** For the documentation, in a few words. */
  readonly meaning: string
  /** A function where they depend on the item type. */
  readonly values: AllowedValues | ((item: Item) => readonly string[])
  /**
   * Its words in the description, and where they stand: before or after the item type, at the end, or in the details.
   */
  readonly phrase?: readonly [
    place: 'before' | 'after' | 'end' | 'detail',
    words: (value: string) => string | undefined,
  ]
  readonly isShopifyTag?: true
  /** Of attributes with the same column, the first one that has a value fills it. */
  readonly shopifyColumn?: string
  readonly googleColumn?: string
  /** What both shops call a value; the value itself if absent. */
  readonly shopWord?: (value: string) => string
}

/** An attribute that comes with a confidence and alternatives. */
export interface RankedEntry extends Entry {
  /** The network's head that it is read from. In the evaluation, also the column of the labels. */
  readonly head?: string
  /** Absent where the classes of the head are the values. */
  readonly rank?: (evidence: Evidence) => Ranked
  /** Multiplies all probabilities, so that what a picture cannot prove is never High. */
  readonly maxProbability?: number
  /** What a second opinion is asked about the garment of a picture; absent where nobody is asked. */
  readonly question?: string
  /** For the question: the meanings of values whose names do not say it. */
  readonly valueMeanings?: Readonly<Record<string, string>>
  /** Whether a confidence below High brings a garment to the review. */
  readonly isReviewed: boolean
  /** Whether the description names it at any confidence. */
  readonly isAlwaysDescribed?: true
}

/** An attribute with a single value. */
interface PlainEntry extends Entry {
  /** Where the value comes from: the first of these that has one. */
  readonly source: {
    readonly client?: true
    readonly itemType?: (item: Item) => string | undefined
    readonly picture?: (colour: ColourReading) => string
    readonly types?: (item: Item, types: Prediction['heads']['type']) => string | undefined
  }
  /** The attribute whose value it details. A correction of that attribute removes it. */
  readonly detailOf?: string
}

export type CatalogueEntry = RankedEntry | PlainEntry

export type Catalogue = readonly CatalogueEntry[]

export function isRanked(entry: CatalogueEntry): entry is RankedEntry {
  return !('source' in entry)
}

/** The values that an attribute can have, of all item types together. */
export function allValues({ values }: CatalogueEntry): AllowedValues {
  return typeof values === 'function' ? [...new Set(itemTypes.flatMap((itemType) => values(itemOf(itemType))))] : values
}

import type { Card } from './card/find-card.ts'
import type { Point } from './picture.ts'
import type { ViewScale } from './view.ts'
import type { Ranked } from './rank.ts'
import type { NoteCode, PictureKind, ScaleSource, Presentation } from './scene.ts'
import type { PictureEvidence } from './combine-pictures.ts'
import type { ItemType } from './taxonomy/item-types.ts'

/** What the client supplied about the garment: free text by key (Brand, Category, Gender, Material, Studio ...). */
export type Attribute = Readonly<Record<string, string>>

/** A child that a garment is for. */
export interface Child {
  /** Body height in cm. */
  readonly height: number
  /** Whether the height follows from a size; otherwise it is a usual one. */
  readonly isSized: boolean
}

/** What is known of a picture beside what it shows. */
export interface Known {
  readonly attribute: Attribute
  /** Centimetres per pixel of the picture, where the studio's camera position is calibrated. */
  readonly cmPerPixel?: number | undefined
  /** The printed card, where it was found in the picture. Its scale goes before that of the studio. */
  readonly card?: Card | undefined
  /** Undefined for adults. */
  readonly child?: Child | undefined
  /** What a person says that it is. All but the ranking of types is then concluded for it. */
  readonly itemType?: ItemType | undefined
  /** Item types that the client's category names. On a person who wears several, they say which is meant. */
  readonly named?: readonly ItemType[] | undefined
  /** What it is there to show, among the pictures of its garment; the front if absent. */
  readonly kind?: PictureKind | undefined
  /** What the garment's other pictures say of its attributes. */
  readonly others?: readonly PictureEvidence[] | undefined
}

/**
 * Value, `… Alternatives` (at most 3, best first) and `… Confidence` (High, Medium, Low) by the specification's keys.
 */
export type Tag = Readonly<Record<string, string | readonly string[]>>

export interface MeasuringLine {
  /** As in `Tagging.measurements`, without the unit: `Chest`. */
  readonly name: string
  readonly from: Point
  readonly to: Point
  readonly cm: number
}

export interface Tagging {
  /** What it was measured and described as: the given type, otherwise the likeliest one. */
  readonly itemType: ItemType
  readonly tag: Tag
  /** The probabilities behind the tag, by its keys (`Item Type`, `Colour`, ...); for evaluation. */
  readonly ranked: Readonly<Record<string, Ranked>>
  /** `Name (cm)` to centimetres, rounded to 0.5. */
  readonly measurements: Readonly<Record<string, number>>
  readonly shown: Presentation
  /** Null without measurements. */
  readonly scaleSource: ScaleSource | null
  /** The scale of the input picture, also where nothing was measured. */
  readonly scale: ViewScale | undefined
  /** What is worth knowing about the picture, apart from the description. */
  readonly notes: readonly NoteCode[]
  /**
   * Around each part of the garment (a pair of shoes has two), largest first; this and what follows in pixels of the
   * input picture.
   */
  readonly outlines: readonly (readonly Point[])[]
  /** Where the background shows through, as under a bag's handle. */
  readonly holes: readonly (readonly Point[])[]
  /** The page's corners, clockwise, where the printed card was found; empty otherwise. */
  readonly card: readonly Point[]
  readonly lines: readonly MeasuringLine[]
}

/**
 * The version of the networks and rules that answer, in answers and exports. Raise it with each change that can change
 * an answer: the first number for a new network, the second for new rules.
 */
export const taggerVersion = '11.0'

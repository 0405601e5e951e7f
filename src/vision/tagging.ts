import type { Card } from './card/find-card.ts'
import type { Point } from './picture.ts'
import type { ViewScale } from './view.ts'
import type { Ranked } from './rank.ts'
import type { NoteCode, PictureKind, ScaleSource, Presentation } from './scene.ts'
import type { PictureEvidence } from './combine-pictures.ts'
import type { ItemType } from './taxonomy/item-types.ts'

/** Free text that the client supplied about the garment, by key (Brand, Category, Gender, Material, Studio ...). */
export type Attribute = Readonly<Record<string, string>>

export interface Child {
  /** Body height in cm. */
  readonly height: number
  /** True if the height follows from a size, false if it is a typical height. */
  readonly isSized: boolean
}

/** Everything known about a picture before its pixels are read. */
export interface Known {
  readonly attribute: Attribute
  /** Centimetres per pixel of the picture, if the studio's camera position is calibrated. */
  readonly cmPerPixel?: number | undefined
  /** The printed card, if it was found in the picture. Its scale takes precedence over the studio's. */
  readonly card?: Card | undefined
  /** Undefined for adults. */
  readonly child?: Child | undefined
  /** The item type that a person chose. It replaces the predicted type everywhere except in the ranking of types. */
  readonly itemType?: ItemType | undefined
  /** Item types that the client's category names. They decide which garment is meant if a person wears several. */
  readonly named?: readonly ItemType[] | undefined
  /** What this picture shows, among the pictures of its garment. Defaults to the front. */
  readonly kind?: PictureKind | undefined
  readonly others?: readonly PictureEvidence[] | undefined
}

/** Keys as in the specification: a value, its `… Alternatives` (at most 3, best first) and its `… Confidence`. */
export type Tag = Readonly<Record<string, string | readonly string[]>>

export interface MeasuringLine {
  /** Key in `Tagging.measurements` without the unit, such as `Chest`. */
  readonly name: string
  readonly from: Point
  readonly to: Point
  readonly cm: number
}

export interface Tagging {
  /** The type that the garment was measured and described as: the given type, or else the likeliest. */
  readonly itemType: ItemType
  readonly tag: Tag
  /** Probabilities behind the tag, by tag key (`Item Type`, `Colour`, ...). */
  readonly ranked: Readonly<Record<string, Ranked>>
  /** Maps `Name (cm)` to centimetres, rounded to 0.5. */
  readonly measurements: Readonly<Record<string, number>>
  readonly shown: Presentation
  /** Null without measurements. */
  readonly scaleSource: ScaleSource | null
  /** Scale of the input picture. It may be known although nothing was measured. */
  readonly scale: ViewScale | undefined
  /** Remarks about the picture, kept apart from the description. */
  readonly notes: readonly NoteCode[]
  /** One outline for each part of the garment (shoes have two), largest first. In pixels of the input picture. */
  readonly outlines: readonly (readonly Point[])[]
  /** Holes through which the background shows, such as under a bag's handle. In pixels of the input picture. */
  readonly holes: readonly (readonly Point[])[]
  /** Corners of the printed card, clockwise, in pixels of the input picture. Empty if no card was found. */
  readonly card: readonly Point[]
  readonly lines: readonly MeasuringLine[]
}

/** Version in every answer. Raise the first number for a new network and the second for changed rules. */
export const taggerVersion = '12.2'

import { accessories } from './accessories.ts'
import { dressesAndSkirts } from './dresses-and-skirts.ts'
import { footwear } from './footwear.ts'
import { jersey } from './jersey.ts'
import { outerwear } from './outerwear.ts'
import { shirtsAndKnitwear } from './shirts-and-knitwear.ts'
import { trousers } from './trousers.ts'
import type { Item } from './types.ts'

/**
 * The single source of what a tag may say: item types, and for each the values that its attributes can have, and the
 * usual sizes.
 */
const items = {
  ...jersey,
  ...shirtsAndKnitwear,
  ...outerwear,
  ...dressesAndSkirts,
  ...trousers,
  ...footwear,
  ...accessories,
} as const satisfies Readonly<Record<string, Item>>

export type ItemType = keyof typeof items

/** What is measured of any item type. */
export type PointOfMeasure = (typeof items)[ItemType]['measurements'][number]

export const itemTypes = Object.keys(items) as ItemType[]

export function itemOf(itemType: ItemType): Item {
  return items[itemType]
}

export function isItemType(name: string): name is ItemType {
  return Object.hasOwn(items, name)
}

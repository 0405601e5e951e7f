import { ACCESSORIES } from './accessories.ts'
import { DRESSES_AND_SKIRTS } from './dresses-and-skirts.ts'
import { FOOTWEAR } from './footwear.ts'
import { JERSEY } from './jersey.ts'
import { OUTERWEAR } from './outerwear.ts'
import { SHIRTS_AND_KNITWEAR } from './shirts-and-knitwear.ts'
import { TROUSERS } from './trousers.ts'
import type { Item } from './types.ts'

/**
 * The single source of what a tag may say: item types, and for each the attributes that apply, their values with how
 * likely each is before the picture is looked at (counted on labelled photographs), and the usual sizes.
 */
const ITEMS = {
  ...JERSEY,
  ...SHIRTS_AND_KNITWEAR,
  ...OUTERWEAR,
  ...DRESSES_AND_SKIRTS,
  ...TROUSERS,
  ...FOOTWEAR,
  ...ACCESSORIES,
} as const satisfies Readonly<Record<string, Item>>

export type ItemType = keyof typeof ITEMS

export const ITEM_TYPES = Object.keys(ITEMS) as ItemType[]

export function itemOf(itemType: ItemType): Item {
  return ITEMS[itemType]
}

export function isItemType(name: string): name is ItemType {
  return Object.hasOwn(ITEMS, name)
}

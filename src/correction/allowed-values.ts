import { colourPrototypes } from '../vision/colour/colour-prototypes.ts'
import { isItemType, itemTypes, itemOf } from '../vision/taxonomy/item-types.ts'
import type { Item } from '../vision/taxonomy/types.ts'
import { patterns, sleeves } from '../vision/taxonomy/values.ts'

const colours = [...Object.keys(colourPrototypes), 'Multi']

/** What a person may say of an attribute. An empty list means that the attribute does not apply to the item type. */
type AllowedValues = 'text' | 'hex' | readonly string[]

const ofEveryItem: Readonly<Record<string, AllowedValues>> = {
  Brand: 'text',
  Category: ['Clothing', 'Shoes', 'Accessories'],
  Gender: ["Men's", "Women's", 'Unisex'],
  Material: 'text',
  'Item Type': itemTypes,
  Colour: colours,
  Pattern: patterns,
  'Colour Hex': 'hex',
}

const ofItem: Readonly<Record<string, (item: Item) => readonly string[]>> = {
  Sleeve: ({ build }) => (build === 'top' || build === 'one-piece' ? sleeves : []),
  Fit: ({ fit }) => fit ?? [],
  Closure: ({ closure }) => Object.keys(closure),
  'Fabric Type': ({ fabric }) => Object.keys(fabric),
}

/** The attributes that come with a confidence and alternatives. */
export const rankedNames = ['Item Type', 'Colour', 'Pattern', 'Sleeve', 'Fit', 'Closure', 'Fabric Type']

/** The attributes that a person may correct, in the order in which they are shown. */
export const correctableNames = [...rankedNames, 'Brand', 'Category', 'Gender', 'Material', 'Colour Hex']

/** The attributes whose values depend on the item type. */
export const namesByItem = Object.keys(ofItem)

/** Undefined for an attribute that nobody can correct. An item type that the taxonomy does not know allows nothing. */
export function allowedValues(name: string, itemType: string): AllowedValues | undefined {
  if (Object.hasOwn(ofEveryItem, name)) return ofEveryItem[name]
  if (!Object.hasOwn(ofItem, name)) return undefined
  return isItemType(itemType) ? ofItem[name]?.(itemOf(itemType)) : []
}

/** Whether an attribute of an item type can have the value, as far as its values are listed. */
export function isAllowed(name: string, value: unknown, itemType: string): boolean {
  const allowed = allowedValues(name, itemType)
  return !Array.isArray(allowed) || allowed.includes(value)
}

/** The keys of the measurements that an item type can have. */
export function allowedMeasurements(itemType: string): string[] {
  return isItemType(itemType) ? itemOf(itemType).measurements.map((name) => `${name} (cm)`) : []
}

/** The keys of all measurements. */
export const measurementNames = [...new Set(itemTypes.flatMap(allowedMeasurements))]

/** Whether some item type has this measurement. */
export const isMeasurement = (name: string): boolean => measurementNames.includes(name)

import { plainKey } from '../../garment/plain-key.ts'

/**
 * The client's own values of a garment beyond its tags, by the names of the attributes that can hold them. Names are
 * compared as by `plainKey`. The first name that has a value counts.
 */
export const ownNames = {
  title: ['Title'],
  description: ['Description'],
  brand: ['Brand'],
  size: ['Size', 'Size label'],
  condition: ['Condition'],
  price: ['Price'],
  currency: ['Currency'],
  sku: ['SKU', 'Article number'],
  stock: ['Stock', 'Quantity'],
  availability: ['Availability'],
  barcode: ['Barcode', 'GTIN', 'EAN', 'UPC'],
  mpn: ['MPN'],
  shelf: ['Shelf', 'Location'],
  link: ['Link', 'URL'],
  ageGroup: ['Age group'],
  ebayCategory: ['eBay category'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The value that an upload's `attribute` has under one of the names, trimmed; empty if it has none. */
export function readOwn(attribute: Readonly<Record<string, string>>, names: readonly string[]): string {
  const given = new Map(Object.entries(attribute).map(([key, value]) => [plainKey(key), value.trim()]))
  return names.map((name) => given.get(plainKey(name)) ?? '').find((value) => value !== '') ?? ''
}

import { defaultReviewed } from '../db/schema.ts'

/**
 * The attributes whose doubtful values can bring a garment to the review. The order is that of their bits in the
 * database (migration 0028), so that a new one goes to the end.
 */
export const reviewedAttributes = [
  'Item Type',
  'Colour',
  'Pattern',
  'Sleeve',
  'Neckline',
  'Fit',
  'Closure',
  'Fabric Type',
] as const

/** The attributes that a tenant has reviewed. `mask` is what is stored of its choice; null for the default. */
export const attributesOf = (mask: number | null): readonly string[] =>
  reviewedAttributes.filter((_, bit) => ((mask ?? defaultReviewed) & (1 << bit)) !== 0)

export const maskOf = (names: readonly string[]): number =>
  reviewedAttributes.reduce((mask, name, bit) => (names.includes(name) ? mask | (1 << bit) : mask), 0)

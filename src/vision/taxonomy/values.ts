import type { Item } from './types.ts'

export const patterns = [
  'Plain',
  'Striped',
  'Checked',
  'Dotted',
  'Floral',
  'Animal',
  'Camouflage',
  'Colour Block',
  'Graphic',
  'Knit',
  'Printed',
] as const

const sleeves = ['None', 'Short', 'Three-Quarter', 'Long'] as const

export type Sleeve = (typeof sleeves)[number]

const hasNeck = ({ build }: Item) => build === 'top' || build === 'one-piece' || build === 'set'

export const sleevesOf = (item: Item): readonly Sleeve[] => (hasNeck(item) ? sleeves : [])

const necklines = [
  'Crew',
  'Scoop',
  'V-Neck',
  'High',
  'Collar',
  'Lapel',
  'Hood',
  'Square',
  'Off-Shoulder',
  'Strap',
  'Other',
] as const

export const necklinesOf = (item: Item): readonly string[] => (hasNeck(item) ? necklines : [])

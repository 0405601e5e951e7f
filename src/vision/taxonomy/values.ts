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

export const sleevesOf = ({ build }: Item): readonly Sleeve[] =>
  build === 'top' || build === 'one-piece' ? sleeves : []

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

export const necklinesOf = ({ build }: Item): readonly string[] =>
  build === 'top' || build === 'one-piece' ? necklines : []

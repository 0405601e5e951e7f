export const PATTERNS = [
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

export type Pattern = (typeof PATTERNS)[number]

export const SLEEVES = ['None', 'Short', 'Three-Quarter', 'Long'] as const

export type Sleeve = (typeof SLEEVES)[number]

export function isPattern(name: string): name is Pattern {
  return PATTERNS.some((pattern) => pattern === name)
}

export function isSleeve(name: string): name is Sleeve {
  return SLEEVES.some((sleeve) => sleeve === name)
}

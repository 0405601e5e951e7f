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

export type Pattern = (typeof patterns)[number]

export const sleeves = ['None', 'Short', 'Three-Quarter', 'Long'] as const

export type Sleeve = (typeof sleeves)[number]

export function isPattern(name: string): name is Pattern {
  return patterns.some((pattern) => pattern === name)
}

export function isSleeve(name: string): name is Sleeve {
  return sleeves.some((sleeve) => sleeve === name)
}

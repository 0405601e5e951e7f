/** The classes of the colour model, and the names of colours in each. */
export const coloursOfFamily: Readonly<Record<string, readonly string[]>> = {
  Black: ['Black'],
  White: ['White', 'Off White'],
  Grey: ['Grey', 'Light Grey', 'Charcoal'],
  Navy: ['Navy'],
  Blue: ['Blue', 'Light Blue', 'Royal Blue', 'Denim Blue'],
  Turquoise: ['Turquoise', 'Teal', 'Mint'],
  Green: ['Green', 'Dark Green', 'Olive', 'Sage', 'Lime'],
  Yellow: ['Yellow', 'Mustard'],
  Orange: ['Orange', 'Peach', 'Rust'],
  Red: ['Red', 'Burgundy'],
  Pink: ['Pink', 'Hot Pink', 'Coral', 'Blush'],
  Purple: ['Purple', 'Lavender', 'Mauve', 'Plum'],
  Brown: ['Brown', 'Dark Brown', 'Camel', 'Taupe'],
  Beige: ['Beige', 'Cream', 'Tan', 'Khaki'],
  Multi: ['Multi'],
}

export function familyOf(name: string): string | undefined {
  return Object.entries(coloursOfFamily).find(([, names]) => names.includes(name))?.[0]
}

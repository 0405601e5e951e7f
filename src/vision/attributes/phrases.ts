import { readWearer, type Wearer } from './wearer.ts'

/** In lower case, except a letter that stands for a shape: T-shirt, A-line. */
export function spoken(value: string): string {
  return value.toLowerCase().replaceAll(/\b[a-z](?=-)/g, (letter) => letter.toUpperCase())
}

export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

const wearerPhrases: Readonly<Partial<Record<Wearer, string>>> = { men: "men's", women: "women's", unisex: 'unisex' }

/** Undefined for children, and for words that name nobody: the description leaves them out. */
export function genderPhrase(gender: string): string | undefined {
  const wearer = readWearer(gender)
  return wearer && wearerPhrases[wearer]
}

export function closurePhrase(closure: string): string {
  if (closure === 'Pullover' || closure === 'Open' || closure === 'Slip-On') return 'no fastening'
  if (closure === 'Open Front') return 'an open front'
  return `${withArticle(spoken(closure))} fastening`
}

/** Fabrics whose names are no nouns. */
const clothNames: Readonly<Record<string, string | undefined>> = {
  Knit: 'knitted cloth',
  Quilted: 'quilted cloth',
  Technical: 'technical cloth',
  Woven: 'woven cloth',
}

export const fabricPhrase = (fabric: string): string => `the look of ${clothNames[fabric] ?? fabric.toLowerCase()}`

const necklinePhrases: Readonly<Record<string, string | undefined>> = {
  Crew: 'a crew neck',
  Scoop: 'a scoop neck',
  'V-Neck': 'a V-neck',
  High: 'a high neck',
  Collar: 'a collar',
  Lapel: 'lapels',
  Hood: 'a hood',
  Square: 'a square neckline',
  'Off-Shoulder': 'an off-shoulder neckline',
  Strap: 'straps',
}

export const necklinePhrase = (neckline: string): string | undefined => necklinePhrases[neckline]

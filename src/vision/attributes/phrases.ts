import { readWearer, type Wearer } from './wearer.ts'

/** Lower-cases a value, but keeps letters that stand for a shape: T-shirt, A-line. */
export function spoken(value: string): string {
  return value.toLowerCase().replaceAll(/\b[a-z](?=-)/g, (letter) => letter.toUpperCase())
}

export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

const wearerPhrases: Readonly<Partial<Record<Wearer, string>>> = { men: "men's", women: "women's", unisex: 'unisex' }

/** Returns undefined for children and for unknown words, which the description omits. */
export function genderPhrase(gender: string): string | undefined {
  const wearer = readWearer(gender)
  return wearer && wearerPhrases[wearer]
}

export const colourPhrase = (colour: string): string =>
  colour === 'Multi' ? 'in several colours' : `in ${colour.replace('Off White', 'off-white').toLowerCase()}`

/** Words for patterns whose name is not an adjective. Plain is not mentioned. */
const patternPhrases: Readonly<Record<string, string | undefined>> = {
  Plain: '',
  Animal: 'animal-print',
  'Colour Block': 'colour-block',
  Knit: 'textured-knit',
}

export const patternPhrase = (pattern: string): string | undefined =>
  (patternPhrases[pattern] ?? pattern.toLowerCase()) || undefined

const fitPhrases: Readonly<Record<string, string | undefined>> = {
  'A-Line': 'an A-line cut',
  'Fit & Flare': 'a fit-and-flare cut',
  Flared: 'flared legs',
  Full: 'a full cut',
  Pencil: 'a pencil cut',
  Shift: 'a shift cut',
  'Wide Leg': 'wide legs',
}

export const fitPhrase = (fit: string): string => fitPhrases[fit] ?? `${withArticle(spoken(fit))} fit`

const closurePhrases: Readonly<Record<string, string | undefined>> = {
  Pullover: 'no fastening',
  Open: 'no fastening',
  'Slip-On': 'no fastening',
  'Open Front': 'an open front',
  Elasticated: 'an elasticated waist',
  'Button & Zip': 'a button and zip fastening',
}

export const closurePhrase = (closure: string): string =>
  closurePhrases[closure] ?? `${withArticle(spoken(closure))} fastening`

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

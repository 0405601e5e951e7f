import { readGender } from './estimate-scale.ts'

/** In lower case, except a letter that stands for a shape: T-shirt, A-line. */
export function spoken(value: string): string {
  return value.toLowerCase().replace(/^[a-z](?=-)/, (letter) => letter.toUpperCase())
}

export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

/** Undefined for other words, such as "Boys", which the description leaves out. */
export const genderPhrase = (gender: string): string | undefined =>
  readGender(gender)?.toLowerCase() ?? (/^unisex$/i.test(gender.trim()) ? 'unisex' : undefined)

export function closurePhrase(closure: string): string {
  if (closure === 'Pullover' || closure === 'Open' || closure === 'Slip-On') return 'no fastening'
  if (closure === 'Open Front') return 'an open front'
  return `${withArticle(spoken(closure))} fastening`
}

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

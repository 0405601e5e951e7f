import type { Language } from '../listing-texts/listing-words.ts'
import { languages } from '../listing-texts/listing-words.ts'
import type { ParsedSize } from './size-rules.ts'
import type { SizeSystem } from './size-words.ts'

/** The country in front of a size of its system. */
export const systemNames: Readonly<Partial<Record<SizeSystem, string>>> = {
  US: 'US',
  UK: 'UK',
  EU: 'EU',
  DE: 'DE',
  FR: 'FR',
  IT: 'IT',
  AU: 'AU',
  shoe_eu: 'EU',
  shoe_us: 'US',
  shoe_uk: 'UK',
}

/** A men's jacket size is the chest in inches with a letter for the cut, the same in the UK and the US. */
export const isJacketSize = ({ system, country }: ParsedSize) => system === 'UK' && country === undefined

/** Ordered like `languages`. */
const words: Readonly<Record<string, readonly string[]>> = {
  'One Size': ['one size', 'Einheitsgröße', 'taille unique', 'talla única', 'taglia unica'],
  Newborn: ['newborn', 'Neugeborene', 'nouveau-né', 'recién nacido', 'neonato'],
  years: ['years', 'Jahre', 'ans', 'años', 'anni'],
  year: ['year', 'Jahr', 'an', 'año', 'anno'],
  months: ['months', 'Monate', 'mois', 'meses', 'mesi'],
  month: ['month', 'Monat', 'mois', 'mes', 'mese'],
}

/** Writes a size for people: `UK 12`, `EU 38 2/3`, `W32 L34`, `116 cm`, `3-4 Jahre`. */
export function sizeText(size: ParsedSize, language: Language = 'en'): string {
  const { system, value, country } = size
  const word = (text: string) => words[text]?.[languages.indexOf(language)] ?? text
  if (system === 'one_size') return word(value)
  if (system === 'age_years' || system === 'age_months') return value.replace(/[A-Za-z]+$/, word)
  if (system === 'height_cm' || system === 'collar_cm') return `${value} cm`
  if (system === 'collar_in') return `${value} in`
  const named = systemNames[system] ?? country
  return named === undefined || isJacketSize(size) || system === 'bra' ? value : `${named} ${value}`
}

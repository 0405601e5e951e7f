import type { ListingWords } from './listing-words.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { it } from './words/it.ts'

/** ISO 639-1 codes. */
export const languages = ['en', 'de', 'fr', 'es', 'it'] as const

export type Language = (typeof languages)[number]

export const listingWords: Readonly<Record<Language, ListingWords>> = { en, de, fr, es, it }

/** English for anything that is no language of the listings. */
export const readLanguage = (code: string | undefined): Language =>
  languages.find((language) => language === code) ?? 'en'

/** What each language is called in itself. */
export const languageNames = Object.fromEntries(languages.map((language) => [language, listingWords[language].name]))

import { type Language, languages, listingWords } from './listing-words.ts'

/** Short words that texts of a language are full of. */
const commonWords: Readonly<Record<Language, string>> = {
  en: 'the and with for size by new in of is from never worn',
  de: 'und mit für größe aus neu der die das ist in von nie getragen sehr',
  fr: 'et avec pour taille de la le les est neuf jamais porté en très',
  es: 'y con para talla de la el los es nuevo nunca usado en muy',
  it: 'e con per taglia di la il è nuovo mai usato in molto',
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** Collected by the first call: the words of each language that no other language has. */
let ownWords: ReadonlyMap<Language, ReadonlySet<string>> | undefined

function collectWords(): ReadonlyMap<Language, ReadonlySet<string>> {
  const all = new Map(
    languages.map((language) => {
      const { itemTypes, values, wearers } = listingWords[language]
      const texts = [itemTypes, wearers, ...Object.values(values)].flatMap((table) => Object.values(table))
      return [language, new Set([commonWords[language], ...texts].flatMap(wordsIn))] as const
    }),
  )
  const isShared = (word: string) => [...all.values()].filter((words) => words.has(word)).length > 1
  return new Map([...all].map(([language, words]) => [language, new Set([...words].filter((word) => !isShared(word)))]))
}

/** Returns the language of a listing's text, or undefined if too few of its words belong to one language only. */
export function detectLanguage(text: string): Language | undefined {
  ownWords ??= collectWords()
  const words = wordsIn(text)
  const [first, second] = languages
    .map((language) => ({ language, count: words.filter((word) => ownWords?.get(language)?.has(word)).length }))
    .sort((a, b) => b.count - a.count)
  return first !== undefined && first.count >= 2 && first.count > 2 * (second?.count ?? 0) ? first.language : undefined
}

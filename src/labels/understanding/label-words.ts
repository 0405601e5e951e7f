import { z } from 'zod'

const wordsByName = z.record(z.string(), z.array(z.string()))

/** The words of labels in all label languages, in lower case without accents. */
const labelWords = z.object({
  fibres: wordsByName,
  parts: wordsByName,
  /** Phrases before or after a country. */
  origins: z.array(z.string()),
  countries: wordsByName,
  sizeWords: z.array(z.string()),
  brands: z.array(z.string()),
})

export interface Word {
  /** Folded. */
  readonly text: string
  /** What it stands for, such as a fibre's English name. */
  readonly name: string
  /** Pairs of neighbouring characters, without spaces. */
  readonly pairs: readonly string[]
}

export interface LabelWords {
  readonly fibres: readonly Word[]
  readonly parts: readonly Word[]
  readonly origins: readonly Word[]
  readonly countries: readonly Word[]
  readonly sizeWords: readonly Word[]
  readonly brands: readonly Word[]
}

const otherLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 's',
  ı: 'i',
  æ: 'a',
  œ: 'o',
  þ: 'p',
  ð: 'd',
}

/** Returns a character in upper case without its accent. The result is always one character. */
export function fold(character: string): string {
  const lower = character.toLowerCase()
  const [base = ' '] = (otherLetters[lower] ?? lower).normalize('NFD')
  const folded = base.toUpperCase()
  return folded.length === 1 ? folded : base
}

const foldText = (text: string): string => [...text].map(fold).join('')

export const pairsOf = (text: string): string[] => {
  const letters = text.replaceAll(' ', '')
  return Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2))
}

function toWord(text: string, name: string): Word {
  const folded = foldText(text)
  return { text: folded, name, pairs: pairsOf(folded) }
}

const toWords = (byName: Readonly<Record<string, readonly string[]>>): Word[] =>
  Object.entries(byName).flatMap(([name, texts]) => texts.map((text) => toWord(text, name)))

/** Parses the static asset `label-words.json`. Throws `ZodError`. */
export function parseLabelWords(json: unknown): LabelWords {
  const { fibres, parts, origins, countries, sizeWords, brands } = labelWords.parse(json)
  const same = (texts: readonly string[]) => texts.map((text) => toWord(text, text))
  return {
    fibres: toWords(fibres),
    parts: toWords(parts),
    origins: same(origins),
    countries: toWords(countries),
    sizeWords: same(sizeWords),
    brands: same(brands),
  }
}

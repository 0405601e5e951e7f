import { findWords, type FoldedLine, joinRows, type Match } from './find-words.ts'
import type { LabelWords } from './label-words.ts'

export interface Origin {
  readonly value: string
  readonly votes: number
  readonly rivals: number
  readonly cost: number
  readonly lines: readonly number[]
}

/** Characters between a phrase and its country, at most. */
const maxGap = 4

/** Reads the country beside a phrase such as "made in". Addresses name countries too, so one alone says nothing. */
export function readOrigin(rows: readonly FoldedLine[], words: LabelWords): Origin | undefined {
  const found: { name: string; cost: number; lines: readonly number[] }[] = []
  for (const [place, row] of rows.entries()) {
    const phrases = findWords(row, words.origins)
    if (phrases.length === 0) continue
    // The country may stand in the next row, or continue there.
    const next = rows[place + 1]
    const both = next === undefined ? row : joinRows(row, next)
    const countries = findWords(both, words.countries)
    for (const phrase of phrases) {
      const country = findBeside(phrase, countries)
      if (country === undefined) continue
      const cost = phrase.cost * 0.5 + country.cost
      found.push({ name: country.name, cost, lines: [...new Set([...phrase.lines, ...country.lines])] })
    }
  }
  const ranked = [...Map.groupBy(found, ({ name }) => name)].map(([value, votes]) => ({
    value,
    votes: votes.length,
    weight: votes.reduce((sum, { cost }) => sum + 1 / (1 + cost), 0),
    best: votes.toSorted((a, b) => a.cost - b.cost)[0]!,
  }))
  ranked.sort((a, b) => b.weight - a.weight)
  const [first, second] = ranked
  if (first === undefined) return undefined
  return {
    value: first.value,
    votes: first.votes,
    rivals: second === undefined ? 0 : second.weight / first.weight,
    cost: first.best.cost,
    lines: first.best.lines,
  }
}

/** The country after a phrase, or right before it, as in Hungarian. */
function findBeside({ start, end }: Match, countries: readonly Match[]): Match | undefined {
  const isNear = (gap: number) => gap >= 0 && gap <= maxGap
  return (
    countries.find((country) => isNear(country.start - end)) ?? countries.find((country) => isNear(start - country.end))
  )
}

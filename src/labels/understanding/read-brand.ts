import { findWords, type FoldedLine } from './find-words.ts'
import type { LabelWords } from './label-words.ts'

export interface Brand {
  readonly value: string
  readonly isListed: boolean
  readonly cost: number
  /** Its share of its line's characters, and the line's height as a share of the median. */
  readonly share: number
  readonly relativeHeight: number
  readonly lines: readonly number[]
}

/** Names that are also words must be a line of their own. */
const minInText = 6

/** Names of up to so many letters are too close to other words to be read with errors. */
const maxExact = 6

const maxNameLength = 30
const minProbability = 0.8

/** Reads the brand: a listed one, or else the largest line that could be a name. */
export function readBrand(
  lines: readonly FoldedLine[],
  words: LabelWords,
  taken: ReadonlySet<number>,
): Brand | undefined {
  const heights = lines.map(({ height }) => height).sort((a, b) => a - b)
  const median = heights[Math.floor(heights.length / 2)] ?? 1
  const listed = lines.flatMap((line) => findListed(line, words, median))
  listed.sort((a, b) => scoreOf(b) - scoreOf(a))
  return listed[0] ?? findLargest(lines, median, taken)
}

const scoreOf = ({ cost, share, relativeHeight, value }: Brand) =>
  share * 2 + Math.min(2, relativeHeight) - cost + Math.min(10, value.length) / 10

function findListed(line: FoldedLine, { brands }: LabelWords, median: number): Brand[] {
  const letters = line.text.replaceAll(/[^A-Z0-9]/g, '').length
  return findWords(line, brands).flatMap((match): Brand[] => {
    if (line.characters.slice(match.start, match.end).some(({ isForeign }) => isForeign)) return []
    const length = match.word.replaceAll(/[^A-Z0-9]/g, '').length
    const share = length / Math.max(length, letters)
    // Short names, and names within other text, must be read exactly.
    if (share < 0.8 && (match.word.length < minInText || match.cost > 0.3)) return []
    if (length <= maxExact && match.cost > 0.3) return []
    return [
      {
        value: match.name,
        isListed: true,
        cost: match.cost,
        share,
        relativeHeight: line.height / median,
        lines: match.lines,
      },
    ]
  })
}

/** The largest line, if nothing else was read from it and it looks like a name. */
function findLargest(lines: readonly FoldedLine[], median: number, taken: ReadonlySet<number>): Brand | undefined {
  const largest = lines.toSorted((a, b) => b.height - a.height)[0]
  if (largest === undefined || largest.height < 1.3 * median) return undefined
  const { characters, sources } = largest
  if (sources.some((source) => taken.has(source))) return undefined
  const value = characters
    .map(({ text }) => text)
    .join('')
    .trim()
  const mean = characters.reduce((sum, { probability }) => sum + probability, 0) / characters.length
  const looksLikeName =
    /^[\p{L} &'’.-]{3,}$/u.test(value) &&
    value.length <= maxNameLength &&
    !/www|\.(?:com|de|fr|it|co|net|org|eu)\b/i.test(value)
  if (!looksLikeName || characters.some(({ isForeign }) => isForeign) || mean < minProbability) return undefined
  return {
    value,
    isListed: false,
    cost: 0,
    share: 1,
    relativeHeight: largest.height / median,
    lines: [...new Set(sources)],
  }
}

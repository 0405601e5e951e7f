import type { Character } from '../reading/decode-line.ts'
import type { TextLine } from '../reading/read-lines.ts'
import { fold, pairsOf, type Word } from './label-words.ts'

/** A row of lines prepared for searching: its characters folded, with what else they may be. */
export interface FoldedLine {
  readonly row: number
  readonly characters: readonly Character[]
  /** For each character, the index of the line that it was read from. */
  readonly sources: readonly number[]
  /** Height of the highest line in the row, in pixels. */
  readonly height: number
  /** One character for each that was read. */
  readonly text: string
  readonly pairs: ReadonlySet<string>
  /** For each character, what it costs to take it for each of the characters of words. */
  readonly substitutions: Float32Array
}

export const sourcesOf = ({ sources }: FoldedLine, start: number, end: number): number[] => [
  ...new Set(sources.slice(start, end)),
]

/** A word that was found in a line, from character `start` to before `end`. */
export interface Match {
  readonly name: string
  readonly word: string
  readonly lines: readonly number[]
  readonly start: number
  readonly end: number
  /** 0 if each character is right; about 1 for each wrong one. */
  readonly cost: number
}

/** Characters that look alike in many typefaces. */
const lookAlikes = ['O0QDC', 'I1L|!JT', 'S5$', 'B8', 'Z2', 'G6', 'EF', 'UV', 'MN', 'RK', 'NH', 'AR', 'VY', 'PF']

const alternativeCost = 0.3
const lookAlikeCost = 0.5
const zeroCost = 0.2
const skippedLetterCost = 0.9
const skippedMarkCost = 0.35
const missingCost = 0.9

const isLetterCode = (code: number) => code >= 65 && code <= 90

/** Longest word, and the working memory of `findWord`. */
const maxWord = 64
const costs = new Float64Array(maxWord + 1)
const starts = new Int32Array(maxWord + 1)

/** Words are of capital letters, digits and ASCII punctuation. */
const firstCode = 32
const codes = 64

const space: Character = { text: ' ', probability: 1, others: [], place: 0, isForeign: false }

export function foldRow(
  lines: readonly { readonly line: TextLine; readonly index: number }[],
  row: number,
): FoldedLine {
  const characters = lines.flatMap(({ line }, place) => (place === 0 ? line.characters : [space, ...line.characters]))
  const sources = lines.flatMap(({ line, index }, place) =>
    Array.from({ length: line.characters.length + Number(place > 0) }, () => index),
  )
  return prepare(row, characters, sources, Math.max(...lines.map(({ line }) => line.height)))
}

export function joinRows(first: FoldedLine, second: FoldedLine): FoldedLine {
  const characters = [...first.characters, space, ...second.characters]
  const sources = [...first.sources, second.sources[0] ?? 0, ...second.sources]
  return prepare(first.row, characters, sources, first.height)
}

function prepare(
  row: number,
  characters: readonly Character[],
  sources: readonly number[],
  height: number,
): FoldedLine {
  const text = characters.map((character) => fold(character.text)).join('')
  return {
    row,
    characters,
    sources,
    height,
    text,
    pairs: new Set(pairsOf(text)),
    substitutions: costsOf(characters, text),
  }
}

function costsOf(characters: readonly Character[], text: string): Float32Array {
  const substitutions = new Float32Array(text.length * codes).fill(1)
  for (const [at, { others }] of characters.entries()) {
    const costs = substitutions.subarray(at * codes, (at + 1) * codes)
    const setCost = (character: string, cost: number) => {
      const code = character.charCodeAt(0) - firstCode
      if (code >= 0 && code < codes) costs[code] = Math.min(costs[code]!, cost)
    }
    for (const group of lookAlikes)
      if (group.includes(text[at]!)) for (const other of group) setCost(other, lookAlikeCost)
    if (text[at] === '0') setCost('O', zeroCost)
    for (const [other] of others) setCost(fold(other), alternativeCost)
    setCost(text[at]!, 0)
  }
  return substitutions
}

/** How much may be wrong in a word: nothing in a short one, and about a quarter of a long one. */
const allowedCost = (length: number) =>
  length <= 3 ? 0 : length <= 4 ? 0.3 : length <= 6 ? 1 : length <= 9 ? 1.5 : 2.2

/** Words shorter than this, and those that were hardly read, must not be a part of a longer word. */
const minInside = 6

/** Finds words in a line, those that explain most of it first; they do not overlap. */
export function findWords(line: FoldedLine, words: readonly Word[], isWholeOnly = false): Match[] {
  const found = words.flatMap((word) => findWord(line, word, isWholeOnly))
  found.sort((a, b) => b.word.length - 3 * b.cost - (a.word.length - 3 * a.cost))
  const kept: Match[] = []
  for (const match of found)
    if (kept.every(({ start, end }) => match.end <= start || match.start >= end)) kept.push(match)
  return kept.sort((a, b) => a.start - b.start)
}

function findWord(line: FoldedLine, { text: word, name, pairs }: Word, isWholeOnly: boolean): Match[] {
  const allowed = allowedCost(word.length)
  // A wrong character breaks two pairs.
  let missing = 0
  for (const pair of pairs) if (!line.pairs.has(pair)) missing++
  if (
    missing > 2 * Math.max(allowed / alternativeCost > 2 ? 2 : 1, Math.ceil(allowed)) ||
    (allowed === 0 && missing > 0)
  )
    return []
  const { length } = word
  const wanted = Array.from(word, (character) => character.charCodeAt(0) - firstCode)
  const matches: Match[] = []
  // Column `i` holds the least cost of the word's first `i` characters that end here, and where they start.
  for (let i = 0; i <= length; i++) {
    costs[i] = i * missingCost
    starts[i] = 0
  }
  for (let at = 0; at < line.text.length; at++) {
    const skipped = isLetterCode(line.text.charCodeAt(at)) ? skippedLetterCost : skippedMarkCost
    let [diagonal, diagonalStart] = [costs[0]!, at]
    starts[0] = at + 1
    for (let i = 1; i <= length; i++) {
      let least = diagonal + line.substitutions[at * codes + wanted[i - 1]!]!
      let start = diagonalStart
      const added = costs[i]! + skipped
      if (added < least) [least, start] = [added, starts[i]!]
      const left = costs[i - 1]! + missingCost
      if (left < least) [least, start] = [left, starts[i - 1]!]
      diagonal = costs[i]!
      diagonalStart = starts[i]!
      costs[i] = least
      starts[i] = start
    }
    const cost = costs[length]!
    if (cost > allowed) continue
    const start = starts[length]!
    const match = { name, word, lines: sourcesOf(line, start, at + 1), start, end: at + 1, cost }
    if (!isAtBorder(line.text, match, word, isWholeOnly)) continue
    const last = matches.at(-1)
    if (last !== undefined && match.start < last.end) {
      if (cost < last.cost) matches[matches.length - 1] = match
    } else matches.push(match)
  }
  return matches
}

/** Whether a match that may not be part of a longer word is not. */
function isAtBorder(text: string, { start, end, cost }: Match, word: string, isWholeOnly: boolean): boolean {
  const isLetterAt = (at: number) => isLetterCode(text.charCodeAt(at))
  const [isBefore, isAfter] = [isLetterAt(start - 1), isLetterAt(end)]
  if (isWholeOnly || word.length < minInside) return !isBefore && !isAfter
  return cost < 1 || !isBefore || !isAfter
}

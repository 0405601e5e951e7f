import { findWords, type FoldedLine, joinRows, type Match, sourcesOf } from './find-words.ts'
import type { LabelWords } from './label-words.ts'

/** A share that was read, and what else it may be, least doubtful first. */
interface Percentage {
  readonly kind: 'percentage'
  readonly candidates: readonly { readonly value: number; readonly cost: number }[]
  readonly lines: readonly number[]
  readonly start: number
  readonly end: number
}

type Token = { readonly row: number } & (Percentage | (Match & { readonly kind: 'fibre' | 'part' }))

interface Share {
  readonly fibre: string
  readonly percent: number
}

/** A whole composition as it stands in one place of a label. */
interface Instance {
  readonly part: string
  readonly shares: readonly Share[]
  readonly cost: number
  readonly lines: readonly number[]
}

export interface Composition {
  readonly value: string
  /** How often it was read, and how doubtful the best place was. */
  readonly votes: number
  readonly rivals: number
  readonly cost: number
  /** True if shares beside fibres were read that belong to no composition, so a part may be missing. */
  readonly hasOthers: boolean
  readonly lines: readonly number[]
}

const defaultPart = ''

const maxFibres = 6

/** Doubt of all shares and names of a composition together. */
const maxInstanceCost = 3

/** Reads the composition that most translations of each part agree on. Undefined if no shares sum to 100. */
export function readComposition(lines: readonly FoldedLine[], words: LabelWords): Composition | undefined {
  const tokens = joinShares(lines).flatMap((line) => toTokens(line, words))
  const { instances, hasOthers } = findInstances(tokens)
  const parts = [...new Set(instances.map(({ part }) => part))]
  const chosen = parts.map((part) => choose(instances.filter((instance) => instance.part === part)))
  if (chosen.length === 0) return undefined
  const isNamed = chosen.length > 1 || (chosen[0]!.part !== defaultPart && chosen[0]!.part !== 'Shell')
  const text = ({ part, shares }: Instance) => {
    const list = shares
      .toSorted((a, b) => b.percent - a.percent)
      .map(({ fibre, percent }) => `${percent}% ${fibre}`)
      .join(', ')
    return isNamed ? `${part === defaultPart ? 'Shell' : part}: ${list}` : list
  }
  return {
    value: chosen.map(text).join('; '),
    votes: Math.min(...chosen.map(({ votes }) => votes)),
    rivals: Math.max(...chosen.map(({ rivals }) => rivals)),
    cost: Math.max(...chosen.map(({ cost }) => cost)),
    hasOthers,
    lines: [...new Set(chosen.flatMap((each) => each.lines))],
  }
}

/** Joins rows between which a share is broken, such as `6` and `% MODAL`. */
function joinShares(lines: readonly FoldedLine[]): FoldedLine[] {
  const joined: FoldedLine[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && /\d\s*$/.test(last.text) && /^\s*%/.test(line.text))
      joined[joined.length - 1] = joinRows(last, line)
    else joined.push(line)
  }
  return joined
}

function choose(instances: readonly Instance[]) {
  const keyOf = ({ shares }: Instance) =>
    shares
      .map(({ fibre, percent }) => `${percent} ${fibre}`)
      .sort()
      .join()
  const groups = Map.groupBy(instances, keyOf)
  const ranked = [...groups.values()].map((group) => ({
    best: group.toSorted((a, b) => a.cost - b.cost)[0]!,
    votes: group.length,
    weight: group.reduce((sum, { cost }) => sum + 1 / (1 + 2 * cost), 0),
  }))
  ranked.sort((a, b) => b.weight - a.weight)
  const [first, second] = ranked
  return { ...first!.best, votes: first!.votes, rivals: second === undefined ? 0 : second.weight / first!.weight }
}

function toTokens(line: FoldedLine, words: LabelWords): Token[] {
  const fibres = findWords(line, words.fibres).map((match) => ({ ...match, kind: 'fibre' as const }))
  const free = (start: number, end: number) => fibres.every((match) => end <= match.start || start >= match.end)
  const parts = findWords(line, words.parts, true)
    .filter(({ start, end }) => free(start, end))
    .map((match) => ({ ...match, kind: 'part' as const }))
  const percentages = findPercentages(line, fibres).filter(({ start, end }) => free(start, end))
  // Short words are fibres only beside a share or another fibre.
  const tokens: Token[] = [...fibres, ...parts, ...percentages]
    .map((token) => ({ ...token, row: line.row }))
    .sort((a, b) => a.start - b.start)
  return tokens.filter((token, index) => {
    if (token.kind !== 'fibre' || token.word.length > 3) return true
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const isNear = (other: Token | undefined, gap: number) =>
      other !== undefined &&
      (other.kind === 'percentage' || (other.kind === 'fibre' && other.word.length > 3)) &&
      gap <= 4
    return isNear(before, token.start - (before?.end ?? 0)) || isNear(after, (after?.start ?? 0) - token.end)
  })
}

const digits: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  '|': '1',
  '!': '1',
  S: '5',
  B: '8',
  Z: '2',
  G: '6',
}

/** Digits, then a percent sign, which is often misread. */
const percentPattern = /([0-9OQDIL|!SBZG]{1,4}?) ?(%|°\/[O0°]|[O0°]\/[O0°]|[O0]\/|\/[O0])/g
const barePattern = /(?<![0-9A-Z.,°])([0-9OIL]{1,3})([%S9XY$&60Z8°*KVAO])? ?(?=[A-Z])/g

/** Blanks out words, whose last letters may look like digits of the share after them. */
const withoutWords = (text: string, words: readonly Match[]): string =>
  words.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text)

/** Finds shares: numbers with a percent sign, and numbers before a word that may be a fibre. */
function findPercentages(line: FoldedLine, fibres: readonly Match[]): Percentage[] {
  const { text } = line
  const found: Percentage[] = []
  const push = (start: number, end: number, candidates: Percentage['candidates']) => {
    const valid = candidates.filter(({ value }) => value >= 1 && value <= 100)
    if (valid.length > 0 && found.every((other) => end <= other.start || start >= other.end))
      found.push({
        kind: 'percentage',
        candidates: valid.toSorted((a, b) => a.cost - b.cost),
        lines: sourcesOf(line, start, end),
        start,
        end,
      })
  }
  for (const match of withoutWords(text, fibres).matchAll(percentPattern)) {
    const read = match[1]!
    if (!/[0-9]|^[IL](?:[IL]|OO)$/.test(read)) continue
    push(match.index, match.index + match[0].length, numbersOf(read, match[2] === '%' ? 0 : 0.2))
  }
  for (const match of text.matchAll(barePattern)) {
    const [all, read = '', sign] = match
    if (!/[0-9]/.test(read)) continue
    // Only right before a fibre, whose first letter may be misread as well.
    const end = match.index + all.length
    if (!fibres.some(({ start }) => Math.abs(start - end) <= 2)) continue
    const candidates = [...numbersOf(read, 0.6)]
    if (sign !== undefined && /[0-9O]/.test(sign)) candidates.push(...numbersOf(read + sign, 0.7))
    push(match.index, match.index + all.trimEnd().length, candidates)
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Lists the numbers that digits may mean. One digit may be a misread percent sign, or a mark before the number. */
function numbersOf(read: string, cost: number): { value: number; cost: number }[] {
  const clean = [...read].map((character) => digits[character] ?? character).join('')
  const misread = [...read].filter((character) => character in digits).length * 0.2
  const found = [{ value: Number(clean), cost: cost + misread }]
  if (clean.length >= 3 || Number(clean) > 100) {
    found.push({ value: Number(clean.slice(0, -1)), cost: cost + misread + 0.6 })
    found.push({ value: Number(clean.slice(1)), cost: cost + misread + 0.7 })
  }
  return found
}

interface Group {
  readonly row: number
  readonly candidates: Percentage['candidates']
  readonly fibres: readonly { readonly name: string; readonly cost: number; readonly row: number }[]
  readonly lines: readonly number[]
}

/** Doubt if a share and its fibre stand in different rows. In a row, fibres may come before or after their shares. */
const otherRowCost = 0.25

/** If the first and last token of a part contradict an order, that order needs this many times the weight. */
const endsAdvantage = 2

function findInstances(tokens: readonly Token[]): { instances: Instance[]; hasOthers: boolean } {
  const instances: Instance[] = []
  let others = 0
  let part = defaultPart
  let segment: Token[] = []
  const finish = () => {
    const before = readSegment(segment, part, 'share first')
    const after = readSegment(segment, part, 'fibre first')
    const weight = (found: readonly Instance[]) => found.reduce((sum, each) => sum + 1 / (1 + each.cost), 0)
    // Repeated translations can be read in both orders, but their first and last token tell which one is right.
    const lastRow = segment.findLast(({ kind }) => kind === 'fibre')?.row ?? 0
    const last = segment.findLast(({ row }) => row <= lastRow)
    const isShareFirst = segment[0]?.kind === 'percentage' && last?.kind === 'fibre'
    const found = weight(after) > weight(before) * (isShareFirst ? endsAdvantage : 1) ? after : before
    instances.push(...found)
    const used = found.reduce((sum, { shares }) => sum + shares.length, 0)
    const hasFibre = segment.some(({ kind }) => kind === 'fibre')
    if (hasFibre) others += segment.filter(({ kind }) => kind === 'percentage').length - used
    segment = []
  }
  for (const token of tokens) {
    if (token.kind !== 'part') segment.push(token)
    else if (token.name !== part) {
      finish()
      part = token.name
    }
  }
  finish()
  return { instances, hasOthers: others > 0 }
}

function readSegment(segment: readonly Token[], part: string, order: 'share first' | 'fibre first'): Instance[] {
  const groups = order === 'share first' ? groupAfter(segment) : groupAfter(segment.toReversed()).toReversed()
  const instances: Instance[] = []
  for (let first = 0; first < groups.length; first++) {
    for (let end = first + 1; end <= Math.min(groups.length, first + maxFibres); end++) {
      const found = combine(groups.slice(first, end))
      if (found === undefined) continue
      instances.push({ ...found, part })
      first = end - 1
      break
    }
  }
  return instances
}

/** Each share with the fibres that follow it, up to the next share. */
function groupAfter(tokens: readonly Token[]): Group[] {
  const groups: (Group & { fibres: Group['fibres'][number][]; lines: number[] })[] = []
  for (const token of tokens) {
    const { row } = token
    if (token.kind === 'percentage')
      groups.push({ row, candidates: token.candidates, fibres: [], lines: [...token.lines] })
    else if (token.kind === 'fibre') {
      const group = groups.at(-1)
      group?.fibres.push(token)
      if (group?.fibres.length === 1) group.lines.push(...token.lines)
    }
  }
  return groups
}

/** The shares of these groups if they sum to 100, in the least doubtful way. */
function combine(groups: readonly Group[]): Omit<Instance, 'part'> | undefined {
  const named = groups.map(nameFibre)
  if (named.some((fibre) => fibre === undefined)) return undefined
  if (new Set(named.map((fibre) => fibre!.name)).size < named.length) return undefined
  let best: { values: readonly number[]; cost: number } | undefined
  const visit = (place: number, left: number, values: readonly number[], cost: number) => {
    if (left < 0 || cost > (best?.cost ?? maxInstanceCost)) return
    if (place === groups.length) {
      if (left === 0) best = { values, cost }
      return
    }
    for (const { value, cost: more } of groups[place]!.candidates)
      visit(place + 1, left - value, [...values, value], cost + more)
  }
  visit(
    0,
    100,
    [],
    named.reduce((sum, fibre) => sum + fibre!.cost, 0),
  )
  if (best === undefined) return undefined
  const { values, cost } = best
  return {
    shares: values.map((percent, place) => ({ percent, fibre: named[place]!.name })),
    cost,
    lines: [...new Set(groups.flatMap(({ lines }) => lines))],
  }
}

/** Returns the first fibre after a share, unless it is doubtful and the translations after it agree on another. */
function nameFibre({ row, fibres }: Group): { name: string; cost: number } | undefined {
  const first = fibres[0]
  if (first === undefined) return undefined
  const rowCost = first.row === row ? 0 : otherRowCost
  const counts = Map.groupBy(fibres, ({ name }) => name)
  const [most] = [...counts.values()].sort((a, b) => b.length - a.length)
  if (most![0]!.name === first.name)
    return { name: first.name, cost: Math.min(...most!.map(({ cost }) => cost)) + rowCost }
  if (first.cost >= 0.5 && most!.length > 1) return { name: most![0]!.name, cost: 0.4 + rowCost }
  return { name: first.name, cost: first.cost + 0.3 + rowCost }
}

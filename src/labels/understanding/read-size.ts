import { fold, type LabelWords } from './label-words.ts'
import { findWords, type FoldedLine, joinRows, sourcesOf } from './find-words.ts'

export interface Size {
  readonly value: string
  /** From 0 to 1: how much the label's wording says that this is its size. */
  readonly evidence: number
  /** Least probability of the characters that it was read from. */
  readonly probability: number
  readonly row: number
  readonly at: number
  readonly lines: readonly number[]
}

const letter = String.raw`(?:XXXS|XXS|XS|S|M|L|XL|XXL|XXXL|XXXXL|XXXXXL|[2-6SZ]XL|[2-4]XS)`
const letters = String.raw`${letter}(?: ?[/-] ?${letter})?`
const number = String.raw`(?:[1-9]?\d(?:[.,]5|½)?)`

/** A number in old-style figures, which look like letters. */
const old = String.raw`[1-9IZS][0-9OQIZSB]{0,2}`

const systems: Readonly<Record<string, string>> = {
  EUR: 'EU',
  EU: 'EU',
  EUROPE: 'EU',
  UK: 'UK',
  GB: 'UK',
  USA: 'US',
  US: 'US',
  FR: 'FR',
  F: 'FR',
  IT: 'IT',
  I: 'IT',
  DE: 'DE',
  D: 'DE',
  ES: 'ES',
  E: 'ES',
  MEX: 'MX',
  MX: 'MX',
  BR: 'BR',
  AU: 'AU',
  AUS: 'AU',
  JP: 'JP',
  CN: 'CN',
}

const years = 'YEARS|YEAR|YRS|YR|Y|JAHRE|ANS|ANOS|ANNI|JAAR|LAT|AR|VUOTTA|YAS|A'
const months = 'MONTHS|MONTH|MTHS|M[O0][I1]S|MESES|MESI|MONATE|MAANDEN|MIESIECY|MON|M'

interface Reading {
  readonly value: string
  readonly evidence: number
  readonly at: number
  readonly length: number
}

/** Every way in which a line may tell a size, with what it makes of a match. */
const patterns: readonly (readonly [
  pattern: RegExp,
  read: (match: RegExpExecArray, isAlone: boolean) => [string, number] | null,
])[] = [
  [
    new RegExp(String.raw`(?<![A-Z0-9])W ?(\d\d) ?[-/X]? ?L ?(\d\d)(?!\d)`, 'g'),
    ([, waist, length]) => [`W${waist} L${length}`, 1],
  ],
  [
    new RegExp(String.raw`^\W*(2[4-9]|3\d|4[0-8]) ?[/X] ?(2[68]|3[0-8])\W*$`, 'g'),
    ([, waist, length]) => [`W${waist} L${length}`, 0.7],
  ],
  [
    new RegExp(
      String.raw`(?<![A-Z])(EUROPE|EUR|EU|UK|GB|USA|US|FR|IT|DE|ES|MEX|MX|BR|AUS|AU|JP)[ .:-]{0,2}(${number}(?: ?[/-] ?${number})?)(?![\dO]| ?[%°]|[.,]\d)`,
      'g',
    ),
    ([, system = '', value = '']) => inSystem(system, value, 1),
  ],
  [
    /(?<![A-Z])(EUR|EU|UK|USA|US|FR|IT|DE)[ .:-]{0,2}([1-9SIZ][OIQSZB0-9])(?![A-Z\d]| ?[%°])/g,
    ([, system = '', value = '']) => (isNumber(value) ? null : inSystem(system, toDigits(value), 0.95)),
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(F|I|D|E)[ .:-]{0,2}(3[2-9]|4\d|5\d)(?!\d| ?[%°])`, 'g'),
    ([, system = '', value = '']) => [`${systems[system]} ${value}`, 0.75],
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(\d{1,2})(?: ?[-/] ?(\d{1,2}))? ?(?:${years})(?![A-Z0-9])`, 'g'),
    ([all, from = '', to], isAlone) =>
      Number(to ?? from) > 16 || /^\d+ ?A$/.test(all)
        ? null
        : [`${to === undefined ? from : `${from}-${to}`} years`, isAlone ? 0.9 : 0.7],
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(\d{1,2})(?: ?[-/] ?(\d{1,2}))? ?(?:${months})(?![A-Z0-9])`, 'g'),
    ([all, from = '', to], isAlone) =>
      Number(to ?? from) > 48 || (/^\d+ ?M$/.test(all) && !isAlone)
        ? null
        : [`${to === undefined ? from : `${from}-${to}`} months`, isAlone ? 0.9 : 0.6],
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(\d{2,3})(?: ?[-/] ?(\d{2,3}))? ?CM(?![A-Z])`, 'g'),
    ([, from = '', to]) =>
      Number(from) < 44 || Number(from) > 200 ? null : [`${to === undefined ? from : `${from}/${to}`} cm`, 0.7],
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(${old}) ?[-/] ?(${old}) ?(?:${years})(?![A-Z0-9])`, 'g'),
    ([, from = '', to = '']) =>
      isNumber(from) && isNumber(to) ? null : [`${toDigits(from)}-${toDigits(to)} years`, 0.85],
  ],
  [
    new RegExp(String.raw`(?<![A-Z0-9])(${old}) ?CM(?![A-Z])`, 'g'),
    ([, value = '']) =>
      isNumber(value) || Number(toDigits(value)) < 44 || Number(toDigits(value)) > 200
        ? null
        : [`${toDigits(value)} cm`, 0.7],
  ],
  [
    /^\W*(50|56|62|68|74|80|86|92|98|104|110|116|122|128|134|140|146|152|158|164|170|176)(?: ?[/-] ?(56|62|68|74|80|86|92|98|104|110|116|122|128|134|140|146|152|158|164|170|176))?\W*$/g,
    ([, from = '', to]) => [`${to === undefined ? from : `${from}/${to}`} cm`, to === undefined ? 0.6 : 0.85],
  ],
  [
    /(?<![A-Z])(?:ONE ?SIZE|TAILLE ?UNIQUE|TALLA ?UNICA|TAGLIA ?UNICA|TAMANHO ?UNICO|EINHEITSGROSSE)(?![A-Z])/g,
    () => ['One size', 1],
  ],
  [new RegExp(String.raw`^\W*(${letters})\W*$`, 'g'), ([, value = '']) => [normalise(value), 0.9]],
]

/** Largest sizes of systems that have small numbers. Others go up to 66, or are heights of children. */
const largest: Readonly<Record<string, number>> = { UK: 36, US: 36, AU: 36, MX: 48, BR: 60 }

/** A size of a system, or null if the system has no such size. */
function inSystem(system: string, value: string, evidence: number): [string, number] | null {
  const name = systems[system] ?? system
  const first = Number.parseFloat(value.replace(',', '.'))
  const isHeight = first >= 50 && first <= 176 && first % 6 === 2
  if (first > (largest[name] ?? 66) && !isHeight) return null
  return [`${name} ${compact(value)}`, evidence]
}

/** A system whose number stands in the next row. */
const systemOnly = /^\W*(?:EUROPE|EUR|EU|UK|USA|US|FR|IT|DE)\W*$/

/** The Cyrillic word for size, as it is read in Latin letters. */
const cyrillicSize = /RA3MEP|PA3MEP/g

/** After a word such as "size". */
const afterWord = new RegExp(
  String.raw`^[ .:/()-]*(?:(?:EUR|EU|UK|USA|US|FR|IT|DE)(?= ?\d))?[ .:-]*(${letters}|\d{1,3}(?:[.,]5|½)?(?: ?[/-] ?\d{1,3})?)( ?CM)?(?![A-Z0-9%°])`,
)

const figures: Readonly<Record<string, string>> = { O: '0', Q: '0', I: '1', Z: '2', S: '5', B: '8' }

const isNumber = (value: string) => /^\d+$/.test(value)

const toDigits = (value: string) => [...value].map((character) => figures[character] ?? character).join('')

const compact = (value: string) => value.replaceAll(' ', '').replace('-', '/').replace(',', '.')

/** `XXL` as `2XL`, a misread `SXL` as `5XL`; ranges with a slash. */
function normalise(value: string): string {
  return compact(value)
    .split('/')
    .map((each) =>
      each
        .replace(/^[SZ](?=XL$)/, toDigits)
        .replace(/^(X{2,})([SL])$/, (_, xs: string, end: string) =>
          end === 'S' && xs.length === 2 ? 'XXS' : `${xs.length}X${end}`,
        ),
    )
    .join('/')
}

/** Reads the size. Of several, the first of those that are most certain counts. */
export function readSize(lines: readonly FoldedLine[], words: LabelWords): Size | undefined {
  const found: Size[] = []
  for (const [place, line] of lines.entries()) {
    const next = lines[place + 1]
    const row = next !== undefined && systemOnly.test(line.text) ? joinRows(line, next) : line
    for (const reading of readLine(row)) found.push(toSize(row, reading))
    const word = findWords(line, words.sizeWords, true).at(-1)
    if (word === undefined) continue
    const rest = line.text.slice(word.end)
    const onLine = afterWord.exec(rest)
    if (onLine !== null) {
      const value = fromWord(onLine[1]!, onLine[0])
      if (value !== null)
        found.push(toSize(line, { value, evidence: 1, at: word.end + onLine.index, length: onLine[0].length }))
      continue
    }
    // The value may stand alone below or beside.
    if (/[A-Z]{3}/.test(rest.replaceAll(cyrillicSize, ''))) continue
    for (const next of lines.slice(place + 1, place + 3)) {
      const alone = new RegExp(`${afterWord.source}\\W*$`).exec(next.text)
      const value = alone === null ? null : fromWord(alone[1]!, alone[0])
      if (value === null) continue
      found.push(toSize(next, { value, evidence: 1, at: 0, length: next.text.length }))
      break
    }
  }
  const most = Math.max(0, ...found.map(({ evidence }) => evidence))
  return found.filter(({ evidence }) => evidence >= most - 0.1).sort((a, b) => a.row - b.row || a.at - b.at)[0]
}

const letterOnly = new RegExp(String.raw`^${letter}$`)

export const isLetterSize = (text: string): boolean => letterOnly.test(text)

/** Finds the word for size with no Latin text after it. Returns the index of its line. */
export function findLoneSizeWord(rows: readonly FoldedLine[], words: LabelWords): number | undefined {
  for (const row of rows) {
    const word = findWords(row, words.sizeWords, true).at(-1)
    if (word !== undefined && !/[A-Z]{3}|\d{2}/.test(row.text.slice(word.end).replaceAll(cyrillicSize, '')))
      return word.lines[0]
  }
  return undefined
}

/** Reads the size after a size word: letters, or a number after its system. */
function fromWord(value: string, all: string): string | null {
  if (/[A-Z]/.test(value)) return normalise(value)
  if (all.endsWith('CM')) return `${compact(value)} cm`
  const system = /(EUR|EU|UK|USA|US|FR|IT|DE)/.exec(all)?.[1]
  const first = Number.parseFloat(value.replace(',', '.'))
  if (first > 200) return null
  return system === undefined ? compact(value) : `${systems[system]} ${compact(value)}`
}

function readLine({ text }: FoldedLine): Reading[] {
  const readings: Reading[] = []
  for (const [pattern, read] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const isAlone = match[0].length >= text.trim().length - 1
      const result = read(match as RegExpExecArray, isAlone)
      if (result !== null)
        readings.push({ value: result[0], evidence: result[1], at: match.index, length: match[0].length })
    }
  }
  return readings
}

function toSize(row: FoldedLine, { value, evidence, at, length }: Reading): Size {
  const used = row.characters.slice(at, at + length).filter(({ text }) => /[A-Z0-9]/.test(fold(text)))
  const probability = Math.min(1, ...used.map((each) => each.probability))
  return { value, evidence, probability, row: row.row, at, lines: sourcesOf(row, at, at + length) }
}

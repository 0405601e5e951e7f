import { boundName } from '../limits/bound-text.ts'
import { formatCount } from '../format-count.ts'
import { unescapeFormula } from './write-csv.ts'

interface Max {
  readonly max: number
}

/** Sentences for bad rows. Codes are stored, so they never change. */
export const csvSentences = {
  quote_not_closed: ({ max }: Max) => `A quote is not closed within ${max} characters.`,
  text_after_quote: () => 'There is text after a closing quote.',
  row_too_long: ({ max }: Max) => `The row has more than ${max} characters.`,
  too_many_cells: ({ max }: Max) => `The row has more than ${max} cells.`,
  other_number_of_cells: ({ cells, columns }: { readonly cells: number; readonly columns: number }) =>
    `There are ${cells} cells, but ${columns} columns.`,
}

interface CsvProblem {
  readonly code: keyof typeof csvSentences
  readonly params: Readonly<Record<string, number>>
}

export const csvSentence = ({ code, params }: CsvProblem) => (csvSentences[code] as (params: object) => string)(params)

export interface CsvRow {
  /** The line of the file on which the row starts, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

interface BadRow {
  readonly line: number
  readonly problem: CsvProblem
}

interface CsvLimits {
  readonly maxRows: number
  readonly maxColumns: number
  /** In UTF-16 code units, quotes included. */
  readonly maxRowLength: number
}

const delimiters = [',', ';', '\t', '|'] as const

/** A first line that names the delimiter for spreadsheets. */
const separatorLine = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n?|\n|$)/i

/** Matches empty rows, at most 500 at a time, because the regular expression engine remembers each matched row. */
const emptyRows = (delimiter: string) => new RegExp(`(?:(?:""|[ \\t${delimiter}])*(?:\\r\\n?|\\n|$)){1,500}`, 'y')

/**
 * Reads the rows of a CSV file (RFC 4180). A bad row yields its problem and does not affect the next row. A first line
 * `sep=;` names the delimiter. Otherwise it is the comma, semicolon, tab or pipe that the first line has most often.
 * Skips empty rows. Reads at most `maxRowLength` of a row, which bounds the cost of an open quote.
 */
export function* readCsv(text: string, limits: CsvLimits, work = { characters: 0 }): Generator<CsvRow | BadRow> {
  const [separator = '', named] = separatorLine.exec(text) ?? []
  const delimiter = named ?? findDelimiter(text.slice(0, limits.maxRowLength))
  const empty = emptyRows(delimiter)
  let at = separator === '' && text.startsWith('\u{feff}') ? 1 : separator.length
  let line = separator === '' ? 1 : 2
  while (at < text.length) {
    empty.lastIndex = at
    if (empty.test(text)) {
      line += countLineEnds(text, at, empty.lastIndex)
      at = empty.lastIndex
      continue
    }
    const row = readRow(text, at, delimiter, limits)
    work.characters += row.problem === undefined ? row.end - at : limits.maxRowLength
    if (row.problem !== undefined) yield { line, problem: row.problem }
    else yield { line, cells: row.cells }
    line += row.problem === undefined ? countLineEnds(text, at, row.end) + 1 : 1
    at = row.end + (text.startsWith('\r\n', row.end) ? 2 : 1)
  }
}

interface Row {
  readonly cells: readonly string[]
  readonly problem?: CsvProblem
  /** Index of the line end after the row, or the text's length. */
  readonly end: number
}

function readRow(text: string, start: number, delimiter: string, limits: Omit<CsvLimits, 'maxRows'>): Row {
  const { maxColumns, maxRowLength } = limits
  const limit = start + maxRowLength
  const cells: string[] = []
  // Ignores the row's quotes, so that the next row starts on the next line.
  const bad = (code: CsvProblem['code'], params: CsvProblem['params']): Row => ({
    cells,
    problem: { code, params },
    end: endOfLine(text, start),
  })
  for (let at = start; ; at++) {
    const quote = startOfQuote(text, at, limit)
    const quoted = quote === null ? undefined : quotedCell(text, quote, limit)
    // A closed quote is plain text if blanks precede it and text follows. In tab-separated files, so is a quote with
    // text behind it or without an end.
    const isText =
      (delimiter === '\t' && quoted === null) ||
      (quoted && (quote !== at || delimiter === '\t') && !endsAt(text, quoted.end, delimiter))
    const cell = quoted === undefined || isText ? plainCell(text, at, delimiter, limit) : quoted
    if (cell === null) return bad('quote_not_closed', { max: maxRowLength })
    if (cell.end > limit) return bad('row_too_long', { max: maxRowLength })
    if (cells.length === maxColumns) return bad('too_many_cells', { max: maxColumns })
    cells.push(cell.content)
    at = cell.end
    while (quoted !== undefined && text[at] === ' ') at++
    if (at >= text.length || isLineEnd(text[at])) return { cells, end: at }
    if (text[at] !== delimiter) return bad('text_after_quote', {})
  }
}

interface Cell {
  readonly content: string
  /** Index of the delimiter or line end after the cell, or the text's length. */
  readonly end: number
}

/** Returns the index of a cell's opening quote, after blanks. Null for a cell without quotes. */
function startOfQuote(text: string, start: number, limit: number): number | null {
  let at = start
  while (text[at] === ' ' && at < limit) at++
  return text[at] === '"' ? at : null
}

function endsAt(text: string, index: number, delimiter: string): boolean {
  let at = index
  while (text[at] === ' ') at++
  return at >= text.length || text[at] === delimiter || isLineEnd(text[at])
}

/** Reads at most one character past `limit`. */
function plainCell(text: string, start: number, delimiter: string, limit: number): Cell {
  let end = start
  while (end <= limit && end < text.length && text[end] !== delimiter && !isLineEnd(text[end])) end++
  return { content: text.slice(start, end), end }
}

/** Returns null if the quote is not closed before `limit`. */
function quotedCell(text: string, start: number, limit: number): Cell | null {
  // `indexOf` instead of a loop, because every row may begin with an open quote.
  const row = text.slice(0, limit)
  for (let at = row.indexOf('"', start + 1); at !== -1; at = row.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return { content: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 }
  return null
}

const isLineEnd = (character: string | undefined) => character === '\n' || character === '\r'

function countLineEnds(text: string, from: number, end: number): number {
  let count = 0
  for (let i = from; i < end; i++) if (text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')) count++
  return count
}

function endOfLine(text: string, from: number): number {
  const lineEnd = /[\r\n]/g
  lineEnd.lastIndex = from
  return lineEnd.exec(text)?.index ?? text.length
}

function findDelimiter(text: string): string {
  const [first = ''] = /[^\r\n]+/.exec(text) ?? []
  const names = first.replaceAll(/"[^"]*"/g, '')
  const counted = delimiters.map((delimiter) => ({ delimiter, count: names.split(delimiter).length }))
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}

/** A bad row. A row with another number of cells than columns also has its values. */
export type TableProblem = BadRow &
  Partial<Pick<CsvRecord, 'values'>> & {
    /** The cells beyond the last column. */
    readonly more?: readonly string[]
  }

export interface CsvRecord {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
}

/** Thrown for a CSV file that is unusable as a whole, for example without column names. */
export class CsvFileError extends Error {
  override name = 'CsvFileError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/**
 * Reads the column names, skipping eBay's `#INFO` rows. `rows` then reads each row or its problem, and `work` counts
 * the characters read. Throws `CsvFileError`.
 */
export function openCsvTable(text: string, limits: CsvLimits) {
  const work = { characters: 0 }
  const found = readCsv(text, limits, work)
  let { value: first, done } = found.next()
  while (!done && first !== undefined && 'cells' in first && first.cells[0]?.startsWith('#INFO'))
    ({ value: first, done } = found.next())
  if (done || first === undefined) throw new CsvFileError(1, 'The file is empty.')
  if ('problem' in first) throw new CsvFileError(first.line, csvSentence(first.problem))
  const columns = namesOf(first.cells)
  const problem = columnProblem(columns)
  if (problem !== undefined) throw new CsvFileError(first.line, problem)
  return { columns, rows: rowsBelow({ columns, width: first.cells.length }, found, limits), work }
}

function* rowsBelow(
  { columns, width }: { readonly columns: readonly string[]; readonly width: number },
  found: ReturnType<typeof readCsv>,
  { maxRows }: CsvLimits,
): Generator<CsvRecord | TableProblem> {
  let count = 0
  for (const row of found) {
    if (count++ === maxRows)
      throw new CsvFileError(row.line, `There are more than ${formatCount(maxRows)} rows; split the file.`)
    if ('problem' in row) yield row
    else {
      const filled = withoutEmptyEnd(row.cells, columns.length)
      // Drops cells below unnamed columns at the end of the header.
      const cells = filled.length <= width ? filled.slice(0, columns.length) : filled
      if (cells.length === columns.length) yield { line: row.line, values: valuesOf(columns, cells) }
      else {
        const params = { cells: cells.length, columns: columns.length }
        const problem: CsvProblem = { code: 'other_number_of_cells', params }
        yield { line: row.line, problem, values: valuesOf(columns, cells), more: cells.slice(columns.length) }
      }
    }
  }
}

const namesOf = (cells: readonly string[]) => withoutEmptyEnd(cells, 0).map((name) => name.trim())

function columnProblem(columns: readonly string[]): string | undefined {
  if (columns.length === 0) return 'The first line has no names of columns.'
  const repeated = columns.find((name, i) => name !== '' && columns.indexOf(name) !== i)
  return repeated === undefined ? undefined : `Two columns are named ${boundName(repeated)}.`
}

/** Removes empty cells that some spreadsheets add after the last column. */
function withoutEmptyEnd(cells: readonly string[], minLength: number): readonly string[] {
  let length = cells.length
  while (length > minLength && cells[length - 1]?.trim() === '') length--
  return cells.slice(0, length)
}

const valuesOf = (columns: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(
    columns.flatMap((name, i) =>
      name === '' ? [] : [[name, unescapeFormula((cells[i] ?? '').trim()).trim()] as const],
    ),
  )

import type { CsvProblem } from './csv-problem.ts'

export interface CsvRow {
  /** The line of the file on which the row starts, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface BadRow {
  readonly line: number
  readonly problem: CsvProblem
}

export interface CsvLimits {
  readonly maxRows: number
  readonly maxColumns: number
  /** In UTF-16 code units, quotes included. */
  readonly maxRowLength: number
}

const delimiters = [',', ';', '\t', '|'] as const

/** A first line with which spreadsheets are told the delimiter. */
const separatorLine = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n?|\n|$)/i

/**
 * Rows without content, as spreadsheets leave them below a table: the engine skips megabytes of them in the time in
 * which thousands would be read. At most 500 at a time, since it remembers each.
 */
const emptyRows = (delimiter: string) => new RegExp(`(?:(?:""|[ \\t${delimiter}])*(?:\\r\\n?|\\n|$)){1,500}`, 'y')

/**
 * The rows of a CSV file (RFC 4180), or the problem of a row; a bad row does not affect the next. Lines end with CRLF,
 * LF or CR. The delimiter is the one that a first line `sep=;` names, or else the comma, semicolon, tab or pipe of which
 * the first line has the most. Rows without content are left out. No row is read further than `maxRowLength`, so an
 * open quote costs no more than that.
 */
export function* readCsv(
  text: string,
  limits: CsvLimits,
  /** Adds up how many characters were looked at, which may be more than the rows have. */
  work = { characters: 0 },
): Generator<CsvRow | BadRow> {
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
    // The engine finds the end of a bad line hundreds of times faster than cells are read.
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
  /** Index of the line end after it, or the text's length. */
  readonly end: number
}

function readRow(text: string, start: number, delimiter: string, limits: Omit<CsvLimits, 'maxRows'>): Row {
  const { maxColumns, maxRowLength } = limits
  const limit = start + maxRowLength
  const cells: string[] = []
  // The next row starts on the next line, since the quotes of this one mean nothing.
  const bad = (code: CsvProblem['code'], params: CsvProblem['params']): Row => ({
    cells,
    problem: { code, params },
    end: endOfLine(text, start),
  })
  for (let at = start; ; at++) {
    const quote = startOfQuote(text, at, limit)
    const quoted = quote === null ? undefined : quotedCell(text, quote, limit)
    // A closed quote after a blank, with text behind it, is a part of the text.
    const isText = quote !== at && quoted && !endsAt(text, quoted.end, delimiter)
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
  /** Index of the delimiter or line end after it, or the text's length. */
  readonly end: number
}

/** The index of a quote with which a cell begins, also after blanks. */
function startOfQuote(text: string, start: number, limit: number): number | null {
  let at = start
  while (text[at] === ' ' && at < limit) at++
  return text[at] === '"' ? at : null
}

/** Whether a cell ends here, or after blanks. */
function endsAt(text: string, index: number, delimiter: string): boolean {
  let at = index
  while (text[at] === ' ') at++
  return at >= text.length || text[at] === delimiter || isLineEnd(text[at])
}

/** Reads no further than one character past `limit`. */
function plainCell(text: string, start: number, delimiter: string, limit: number): Cell {
  let end = start
  while (end <= limit && end < text.length && text[end] !== delimiter && !isLineEnd(text[end])) end++
  return { content: text.slice(start, end), end }
}

/** Null if it is not closed before `limit`. */
function quotedCell(text: string, start: number, limit: number): Cell | null {
  // A search of the engine, not a loop: each row of a file may begin with a quote that nothing closes.
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

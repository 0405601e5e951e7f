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

const delimiters = [',', ';', '\t'] as const

/**
 * The rows of a CSV file (RFC 4180), or the problem of a row; a bad row does not affect the next. Lines end with CRLF,
 * LF or CR. The delimiter is the comma, semicolon or tab of which the first line has the most. Empty lines are left
 * out, but not more than `maxRows`: megabytes of them would take seconds. No row is read further than `maxRowLength`,
 * so an open quote costs no more than that.
 */
export function* readCsv(
  text: string,
  limits: CsvLimits,
  /** Adds up how many characters were looked at, which may be more than the rows have. */
  work = { characters: 0 },
): Generator<CsvRow | BadRow> {
  const delimiter = findDelimiter(text.slice(0, limits.maxRowLength))
  let emptyLines = 0
  let at = text.startsWith('\u{feff}') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const row = readRow(text, at, delimiter, limits)
    // The engine finds the end of a bad line hundreds of times faster than cells are read.
    work.characters += row.problem === undefined ? row.end - at : limits.maxRowLength
    if (row.problem !== undefined) yield { line, problem: row.problem }
    else if (row.cells.length > 1 || row.cells[0] !== '') yield { line, cells: row.cells }
    else if (++emptyLines > limits.maxRows) {
      yield { line, problem: { code: 'too_many_empty_lines', params: { max: limits.maxRows } } }
      return
    }
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
    const cell = text[at] === '"' ? quotedCell(text, at, limit) : plainCell(text, at, delimiter, limit)
    if (cell === null) return bad('quote_not_closed', { max: maxRowLength })
    if (cell.end > limit) return bad('row_too_long', { max: maxRowLength })
    if (cells.length === maxColumns) return bad('too_many_cells', { max: maxColumns })
    cells.push(cell.content)
    at = cell.end
    if (at >= text.length || isLineEnd(text[at])) return { cells, end: at }
    if (text[at] !== delimiter) return bad('text_after_quote', {})
  }
}

interface Cell {
  readonly content: string
  /** Index of the delimiter or line end after it, or the text's length. */
  readonly end: number
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
  const names = text.slice(0, endOfLine(text, 0)).replaceAll(/"[^"]*"/g, '')
  const counted = delimiters.map((delimiter) => ({ delimiter, count: names.split(delimiter).length }))
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}

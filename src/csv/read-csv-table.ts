import { boundName } from '../bounds/bound-text.ts'
import { formatCount } from '../count.ts'
import { csvSentence, type CsvProblem } from './csv-problem.ts'
import { unescapeFormula } from './formula.ts'
import { readCsv, type BadRow, type CsvLimits } from './read-csv.ts'

/** A row with more or fewer cells than columns has what is below the columns, too. */
export type TableProblem = BadRow &
  Partial<Pick<CsvRecord, 'values'>> & {
    /** The cells beyond the last column. */
    readonly more?: readonly string[]
  }

export interface CsvRecord {
  readonly line: number
  /** By the names of the columns, without white space around. */
  readonly values: Readonly<Record<string, string>>
}

/** Thrown where a CSV file cannot be used as a whole: it has no names, or too many rows. */
export class CsvFileError extends Error {
  override name = 'CsvFileError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/**
 * Reads the names of the columns and replaces each by `nameOf` it; `rows` reads each row, or its problem, when it is
 * asked for, and `work` adds up how many characters that has taken. Throws `CsvFileError`.
 */
export function openCsvTable(text: string, limits: CsvLimits, nameOf = (column: string) => column) {
  const work = { characters: 0 }
  const found = readCsv(text, limits, work)
  const { value: first, done } = found.next()
  if (done) throw new CsvFileError(1, 'The file is empty.')
  if ('problem' in first) throw new CsvFileError(first.line, csvSentence(first.problem))
  const columns = namesOf(first.cells).map(nameOf)
  const problem = columnProblem(columns)
  if (problem !== undefined) throw new CsvFileError(first.line, problem)
  return { columns, rows: rowsBelow(columns, found, limits), work }
}

function* rowsBelow(
  columns: readonly string[],
  found: ReturnType<typeof readCsv>,
  { maxRows }: CsvLimits,
): Generator<CsvRecord | TableProblem> {
  let count = 0
  for (const row of found) {
    if (count++ === maxRows)
      throw new CsvFileError(row.line, `There are more than ${formatCount(maxRows)} rows; split the file.`)
    if ('problem' in row) yield row
    else {
      const cells = withoutEmptyEnd(row.cells, columns.length)
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
  const empty = columns.indexOf('')
  if (empty !== -1) return `Column ${empty + 1} has no name.`
  const repeated = columns.find((name, i) => columns.indexOf(name) !== i)
  return repeated === undefined ? undefined : `Two columns are named ${boundName(repeated)}.`
}

/** Without the empty cells at the end that some spreadsheets add beyond the columns. */
function withoutEmptyEnd(cells: readonly string[], minLength: number): readonly string[] {
  let length = cells.length
  while (length > minLength && cells[length - 1]?.trim() === '') length--
  return cells.slice(0, length)
}

const valuesOf = (columns: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(columns.map((name, i) => [name, unescapeFormula((cells[i] ?? '').trim()).trim()]))

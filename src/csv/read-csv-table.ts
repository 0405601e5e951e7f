import { unescapeFormula } from './formula.ts'
import { readCsv, type CsvLimits, type CsvProblem } from './read-csv.ts'

export interface CsvTable {
  /** The names on the first line, in their order, without white space around. */
  readonly columns: readonly string[]
  /** By the names of the columns, without white space around. */
  readonly rows: readonly CsvRecord[]
  readonly problems: readonly CsvProblem[]
}

interface CsvRecord {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
}

/**
 * Reads a CSV file whose first line names its columns. A row with a problem is left out; if the file as a whole cannot
 * be used (no names, or too many rows), there is this one problem and no row.
 */
export function readCsvTable(text: string, limits: CsvLimits): CsvTable {
  const rows: CsvRecord[] = []
  const problems: CsvProblem[] = []
  let columns: readonly string[] | undefined
  for (const row of readCsv(text, limits)) {
    if (columns === undefined) {
      const problem = 'problem' in row ? row.problem : columnProblem((columns = namesOf(row.cells)))
      if (problem !== undefined) return unusable(row.line, problem)
    } else if (rows.length + problems.length === limits.maxRows)
      return unusable(row.line, `There are more than ${limits.maxRows.toLocaleString('en-US')} rows; split the file.`)
    else if ('problem' in row) problems.push(row)
    else {
      const cells = withoutEmptyEnd(row.cells, columns.length)
      if (cells.length === columns.length) rows.push({ line: row.line, values: valuesOf(columns, cells) })
      else problems.push({ line: row.line, problem: `There are ${cells.length} cells, but ${columns.length} columns.` })
    }
  }
  return columns === undefined ? unusable(1, 'The file is empty.') : { columns, rows, problems }
}

const unusable = (line: number, problem: string): CsvTable => ({
  columns: [],
  rows: [],
  problems: [{ line, problem }],
})

const namesOf = (cells: readonly string[]) => withoutEmptyEnd(cells, 0).map((name) => name.trim())

function columnProblem(columns: readonly string[]): string | undefined {
  if (columns.length === 0) return 'The first line has no names of columns.'
  const empty = columns.indexOf('')
  if (empty !== -1) return `Column ${empty + 1} has no name.`
  const repeated = columns.find((name, i) => columns.indexOf(name) !== i)
  return repeated === undefined ? undefined : `Two columns are named ${repeated}.`
}

/** Without the empty cells at the end that some spreadsheets add beyond the columns. */
function withoutEmptyEnd(cells: readonly string[], minLength: number): readonly string[] {
  let length = cells.length
  while (length > minLength && cells[length - 1]?.trim() === '') length--
  return cells.slice(0, length)
}

const valuesOf = (columns: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(columns.map((name, i) => [name, unescapeFormula((cells[i] ?? '').trim())]))

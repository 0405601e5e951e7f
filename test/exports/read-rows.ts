import { csvSentence, readCsv } from '../../src/platform/csv/read-csv.ts'
import { unescapeFormula } from '../../src/platform/csv/write-csv.ts'

/** The cells of a CSV file by line, as an import reads them. Lines that begin with # are comments. */
function readCells(text: string): string[][] {
  const rows = [...readCsv(text, { maxRows: 100_000, maxColumns: 1000, maxRowLength: 1_000_000 })]
  return rows.map((row) => {
    if (!('cells' in row)) throw new Error(`Line ${row.line}: ${csvSentence(row.problem)}`)
    return row.cells.map(unescapeFormula)
  })
}

/** The rows of a CSV file by the names of its columns. */
export function readRows(text: string): Record<string, string>[] {
  const [header = [], ...rows] = readCells(text).filter(([first]) => first?.startsWith('#') !== true)
  return rows.map((cells) => {
    if (cells.length !== header.length) throw new Error(`${cells.length} cells below ${header.length} names`)
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
  })
}

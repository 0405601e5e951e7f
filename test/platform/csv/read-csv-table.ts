import { CsvFileError, type CsvRecord, csvSentence, openCsvTable } from '../../../src/platform/csv/read-csv.ts'

/** Reads a CSV file as a whole, its problems as sentences. A row with a problem is left out. */
export function readCsvTable(text: string, limits: Parameters<typeof openCsvTable>[1]) {
  const rows: CsvRecord[] = []
  const problems: { line: number; problem: string }[] = []
  try {
    const table = openCsvTable(text, limits)
    for (const row of table.rows)
      if ('problem' in row) problems.push({ line: row.line, problem: csvSentence(row.problem) })
      else rows.push(row)
    return { columns: table.columns, rows, problems }
  } catch (error) {
    if (!(error instanceof CsvFileError)) throw error
    return { columns: [], rows: [], problems: [{ line: error.line, problem: error.message }] }
  }
}

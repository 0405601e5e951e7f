import { readCsvTable } from '../../csv/read-csv-table.ts'
import type { CsvProblem } from '../../csv/read-csv.ts'
import { knownAttributes, uploadSchema } from '../../garment/fields.ts'
import { sortedJson } from '../../garment/upload-garment.ts'
import { toProblems } from '../../http/validation.ts'
import { imageProblem, type ImagePolicy } from '../../outbound/fetch-image.ts'
import { maxLines } from './limits.ts'

export interface NewLine {
  readonly line: number
  readonly uuid: string
  readonly imageUrl: string
  /** JSON with its keys sorted. */
  readonly attribute: string
  /** Empty if the line can be uploaded. */
  readonly problem: string
}

/** Enough for a uuid, an address and 50 attributes of the greatest length, all in quotes. */
const limits = { maxRows: maxLines, maxColumns: 60, maxRowLength: 40_000 }

/** Names are found in any case, since people type them. */
const columnNames = new Map(['uuid', 'image_url', ...knownAttributes].map((name) => [name.toLowerCase(), name]))

const nameOf = (column: string) => columnNames.get(column.toLowerCase().replaceAll(' ', '_')) ?? column

/**
 * The lines of an import from a CSV file with the columns `uuid`, `image_url` and any attributes; bad lines with their
 * problem. `problem` is set if the file as a whole cannot be used.
 */
export function readLines(text: string, policy: ImagePolicy): { lines: NewLine[]; problem?: CsvProblem } {
  const table = readCsvTable(text, limits)
  const problem = table.columns.length === 0 ? table.problems[0] : columnProblem(table.columns.map(nameOf))
  if (problem !== undefined) return { lines: [], problem }
  const lineOfUuid = new Map<string, number>()
  const read = table.rows.map(({ line, values }) => {
    const checked = checkRow(line, values, policy)
    const first = lineOfUuid.get(checked.uuid)
    lineOfUuid.set(checked.uuid, first ?? line)
    if (first === undefined || checked.problem !== '') return checked
    return { ...checked, problem: `uuid: is on line ${first} too` }
  })
  const unread = table.problems.map(({ line, problem }) => ({ ...emptyLine, line, problem }))
  return { lines: [...read, ...unread] }
}

const emptyLine = { uuid: '', imageUrl: '', attribute: '{}' }

function columnProblem(names: readonly string[]): CsvProblem | undefined {
  const missing = ['uuid', 'image_url'].filter((name) => !names.includes(name))
  if (missing.length > 0) return { line: 1, problem: `There is no column ${missing.join(' and no column ')}.` }
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  return repeated === undefined ? undefined : { line: 1, problem: `Two columns are named ${repeated}.` }
}

function checkRow(line: number, values: Readonly<Record<string, string>>, policy: ImagePolicy): NewLine {
  const filled = Object.entries(values).flatMap(([column, value]) => (value === '' ? [] : [[nameOf(column), value]]))
  const { uuid = '', image_url: imageUrl = '', ...attribute } = Object.fromEntries(filled) as Record<string, string>
  const parsed = uploadSchema.safeParse({ uuid, image_url: imageUrl, attribute })
  const problems = parsed.success ? [] : toProblems(parsed.error)
  const ofImage = imageProblem(imageUrl, policy)
  if (ofImage !== null) problems.push(`image_url: ${ofImage}`)
  // What is too long or malformed is not stored, however good the rest is.
  if (!parsed.success)
    return { ...emptyLine, line, uuid: uuid.slice(0, 128).toWellFormed(), problem: problems.join('; ') }
  if (ofImage !== null) return { ...emptyLine, line, uuid, problem: problems.join('; ') }
  return { line, uuid, imageUrl, attribute: sortedJson(attribute), problem: '' }
}

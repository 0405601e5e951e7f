import { formatCount } from '../../count.ts'
import { CsvFileError } from '../../csv/read-csv-table.ts'
import { uploadSchema } from '../../garment/fields.ts'
import { findNearMisses } from '../../http/validation/near-misses.ts'
import { lineProblem, schemaProblems } from '../line-problem.ts'
import { maxLines, maxLineLength } from './limits.ts'
import type { Row } from './read-lines.ts'

const fields = Object.keys(uploadSchema.shape)

/**
 * The rows of a file with one JSON object a line, each like the body of an upload. Rows are read lazily; empty lines
 * are left out. `work` counts the characters read so far. Throws `CsvFileError` at the line that exceeds the limit.
 */
export function openJsonLines(text: string) {
  const work = { characters: 0 }
  return { rows: rowsOf(text, work), work }
}

function* rowsOf(text: string, work: { characters: number }): Generator<Row> {
  let [line, count, emptyLines] = [0, 0, 0]
  for (let at = text.startsWith('\u{feff}') ? 1 : 0; at < text.length;) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const length = end - at
    line++
    work.characters += Math.min(length, maxLineLength)
    const content = length > maxLineLength ? null : text.slice(at, end).trim()
    at = end + 1
    // Megabytes of empty lines would take seconds.
    if (content === '' ? ++emptyLines > maxLines : ++count > maxLines)
      throw new CsvFileError(line, `There are more than ${formatCount(maxLines)} lines; split the file.`)
    if (content === null) yield { line, problem: lineProblem('line_too_long', { max: maxLineLength }) }
    else if (content !== '') yield rowOf(line, content)
  }
}

function rowOf(line: number, content: string): Row {
  const body = parseObject(content)
  if (body === null) return { line, problem: lineProblem('no_object') }
  const parsed = uploadSchema.safeParse(body)
  const problems = [
    ...(parsed.success ? [] : schemaProblems(parsed.error)),
    ...findNearMisses(body, fields).map(({ name, meant }) => lineProblem('near_miss', { name, meant })),
  ]
  if (!parsed.success || problems.length > 0) return { line, problem: problems, ...namesIn(body) }
  const { uuid, image_url, attribute } = parsed.data
  return { line, values: { uuid, image_url }, attribute }
}

function parseObject(content: string): object | null {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The part of a refused line that is shown. */
function namesIn(body: object) {
  const textOf = (name: string) => {
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    return typeof value === 'string' ? value : ''
  }
  return { uuid: textOf('uuid'), imageUrl: textOf('image_url') }
}

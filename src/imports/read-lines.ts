import type { z } from 'zod'
import { formatImages } from '../garments/pictures/images.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { controlCharacters, findNearMisses, maxKeyLength } from '../platform/http/validation.ts'
import type { Attribute } from '../vision/tagging.ts'
import { hasLoneSurrogate } from '../platform/http/text.ts'
import { maxColumns, maxLineLength, maxLines, maxRefusedBytes } from './errors.ts'
import { CsvFileError, type CsvRecord, openCsvTable, type TableProblem } from '../platform/csv/read-csv.ts'
import { editSchema, knownAttributes, maxUuidLength, toImages, uploadSchema } from '../garments/fields.ts'
import { sortedJson } from '../garments/upload-garment.ts'
import { findImageProblem, type ImagePolicy } from '../platform/outbound/fetch-image.ts'
import { maxUrlLength } from '../platform/outbound/target.ts'
import { lineProblem, type LineProblem, schemaProblems, storeProblems } from './line-problem.ts'
import { formatCount } from '../platform/format-count.ts'

/** JSON writes a control character as six characters. */
const replaceControls = (text: string) => text.replaceAll(controlCharacters, '\ufffd')

/** A character that JSON does not escape has at most 3 bytes of UTF-8 for each UTF-16 code unit. */
const maxBytesOfUnit = 3

const utf8 = new TextEncoder()

/** With the colon or the comma after it. */
const bytesOf = (text: string) => utf8.encode(JSON.stringify(text)).length + 1

/**
 * The attributes of a refused line, at most 16 KiB as JSON: the first value beyond is cut off, and those after it are
 * left out.
 */
function boundAttribute(attribute: Attribute): Attribute {
  const kept = new Map<string, string>()
  let left = maxRefusedBytes - '{}'.length
  for (const [name, value] of Object.entries(attribute)) {
    const key = replaceControls(name).toWellFormed()
    const text = replaceControls(value).toWellFormed()
    left -= bytesOf(key)
    const maxLength = Math.floor((left - '"",'.length) / maxBytesOfUnit)
    if (maxLength < 1) break
    const fits = text.length <= maxLength || bytesOf(text) <= left
    kept.set(key, fits ? text : boundText(text, maxLength))
    if (!fits) break
    left -= bytesOf(text)
  }
  return Object.fromEntries(kept)
}

export interface NewLine {
  readonly line: number
  readonly uuid: string
  readonly imageUrl: string
  /** All pictures, as `formatImages` gives them. */
  readonly images: string
  /** JSON with its keys sorted; of a refused line, what it had in the columns of attributes, bounded. */
  readonly attribute: string
  /** As `problemText` reads it; empty if the line can be uploaded. */
  readonly problem: string
}

const limits = { maxRows: maxLines, maxColumns, maxRowLength: maxLineLength }

/** Names are case-insensitive, since people type them. */
const columnNames = new Map(['uuid', 'image_url', ...knownAttributes].map((name) => [name.toLowerCase(), name]))

/** Columns that a report adds to the file. They are ignored when it is imported again. */
export const reportColumns = ['import_line', 'import_status', 'import_problem'] as const

/** A column of the report for lines with more cells than the file has columns. */
const moreCells = 'import_more_cells'

const isOfReport = (column: string) => [...reportColumns, moreCells].some((name) => name === column)

const nameOf = (column: string) => columnNames.get(column.toLowerCase().replaceAll(' ', '_')) ?? column

/** A row that can be read, with what the format has apart from its values; or a problem. */
export type Row = (CsvRecord & { readonly upload?: z.infer<typeof uploadSchema> }) | BadRow

type BadRow = Omit<TableProblem, 'problem'> & {
  readonly problem: LineProblem | readonly LineProblem[]
  readonly uuid?: string
  readonly imageUrl?: string
}

/** Several addresses in a cell stand on lines of their own, or after blanks. */
const betweenAddresses = /\s*[\r\n]+\s*|\s+(?=https?:\/\/)/i

const isFurtherColumn = (name: string) => /^image[ _]url[ _]\d$/i.test(name)

const addressesIn = (cell: string) => cell.split(betweenAddresses).filter((address) => address !== '')

/**
 * The rows of a CSV file with the columns `uuid`, `image_url` and any attributes, each read when it is asked for.
 * Throws `CsvFileError` where the file as a whole cannot be used, at once or at the row that is one too many.
 * @param isEdit whether it is to change garments that are there already, and so has no pictures
 */
export function openRows(text: string, isEdit = false) {
  const { columns, rows, work } = openCsvTable(text, limits, nameOf)
  if (isEdit) {
    if (!columns.includes('uuid')) throw new CsvFileError(1, 'There is no column uuid.')
    if (columns.includes('image_url'))
      throw new CsvFileError(1, 'There is a column image_url: import the file, or leave the column out.')
    return { columns, rows, work }
  }
  const missing = ['uuid', 'image_url'].filter((name) => !columns.includes(name))
  if (missing.length > 0) throw new CsvFileError(1, `There is no column ${missing.join(' and no column ')}.`)
  return { columns, rows, work }
}

/**
 * The lines of an import from the rows of its file, bad ones with their problem.
 * @param policy null where the lines have no pictures
 * @param removed the names of the values that such lines remove from their garments
 */
export function* readLines(
  rows: Iterable<Row>,
  policy: ImagePolicy | null,
  removed: readonly string[] = [],
): Generator<NewLine> {
  const lineOfUuid = new Map<string, number>()
  for (const row of rows) {
    const line = 'problem' in row ? readBad(row) : policy === null ? checkEdit(row, removed) : checkRow(row, policy)
    const first = lineOfUuid.get(line.uuid)
    if (line.uuid !== '') lineOfUuid.set(line.uuid, first ?? line.line)
    const isRepeated = first !== undefined && line.problems.length === 0
    yield toNewLine(isRepeated ? { ...line, problems: [lineProblem('repeated_uuid', { line: first })] } : line)
  }
}

interface CheckedLine extends Omit<NewLine, 'attribute' | 'problem'> {
  readonly attribute: Attribute
  /** Empty if the line can be uploaded. */
  readonly problems: readonly LineProblem[]
}

/** A refused line may be stored in part only. */
function toNewLine({ problems, ...line }: CheckedLine): NewLine {
  if (problems.length === 0) return { ...line, attribute: sortedJson(line.attribute), problem: '' }
  const attribute = sortedJson(boundAttribute(line.attribute))
  const uuid = replaceControls(line.uuid)
  const imageUrl = replaceControls(line.imageUrl)
  return { ...line, uuid, imageUrl, images: '', attribute, problem: storeProblems(problems) }
}

/** Keeps only the beginning of input that is too long or malformed. */
function readBad({ line, problem, values = {}, more = [], ...row }: BadRow): CheckedLine {
  const { uuid, imageUrls, attribute } = filledCells(values)
  return {
    line,
    uuid: boundText(row.uuid ?? uuid, maxUuidLength),
    imageUrl: boundText(row.imageUrl ?? imageUrls.join(' '), maxUrlLength),
    images: '',
    attribute: { ...boundNames(attribute), ...(more.length > 0 && { [moreCells]: more.join(', ') }) },
    problems: [problem].flat(),
  }
}

/** Long names would be stored with every row. */
const boundNames = (attribute: Attribute) =>
  Object.fromEntries(Object.entries(attribute).filter(([name]) => name.length <= maxKeyLength))

/** The filled cells of a row. */
function filledCells(values: Readonly<Record<string, string>>) {
  const filled = Object.entries(values).filter(([name, value]) => value !== '' && !isOfReport(name))
  const further = filled
    .filter(([name]) => isFurtherColumn(name))
    .toSorted(([a], [b]) => (a.slice(-1) < b.slice(-1) ? -1 : 1))
  const others = filled.filter(([name]) => !isFurtherColumn(name))
  const { uuid = '', image_url: first = '', ...attribute } = Object.fromEntries(others)
  return { uuid, imageUrls: [first, ...further.map(([, cell]) => cell)].flatMap(addressesIn), attribute }
}

/** What spreadsheets make of a long number, such as `4.05E+12`, in any language. */
const roundedNumber = /^-?\d(?:[.,]\d+)?E[+-]\d{2,}$/i

/** What people write to keep leading zeros, such as `="000124"`. */
const formulaText = /^=/

/** Such an id is another one than the shop's, and a garment under it would never be found. */
function spoiltUuid(uuid: string): LineProblem[] {
  if (roundedNumber.test(uuid)) return [lineProblem('rounded_uuid')]
  return formulaText.test(uuid) ? [lineProblem('formula_uuid')] : []
}

function checkRow({ line, values, upload }: Exclude<Row, BadRow>, policy: ImagePolicy): CheckedLine {
  const { uuid, imageUrls, attribute } = filledCells(values)
  const [first = '', ...more] = imageUrls
  const given = upload ?? { uuid, image_url: first, images: more.map((url) => ({ url })), attribute }
  const parsed = uploadSchema.safeParse(given)
  const problem = parsed.success ? [] : schemaProblems(parsed.error)
  if (upload === undefined) problem.push(...spoiltUuid(uuid))
  const images = toImages(given)
  const refused = images.map(({ url }) => findImageProblem(url, policy)).find((each) => each !== null)
  if (refused !== undefined) problem.push(lineProblem('image_url_refused', { problem: refused }))
  const checked = readBad({ line, problem, values, uuid: given.uuid, imageUrl: images[0]?.url ?? '' })
  return parsed.success ? { ...checked, images: formatImages(images), attribute: parsed.data.attribute } : checked
}

/** An empty cell says nothing: the garment keeps its value. In the stored line, an empty value is one to be removed. */
function checkEdit({ line, values }: Exclude<Row, BadRow>, removed: readonly string[]): CheckedLine {
  const { uuid = '', ...given } = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const attribute = { ...given, ...Object.fromEntries(removed.map((name) => [name, ''])) }
  const parsed = editSchema.safeParse({ uuid, attribute })
  const problem = parsed.success ? [] : schemaProblems(parsed.error)
  problem.push(...spoiltUuid(uuid))
  if (parsed.success && Object.keys(attribute).length === 0) problem.push(lineProblem('changes_nothing'))
  const checked = readBad({ line, problem, uuid })
  return parsed.success && problem.length === 0 ? { ...checked, attribute: parsed.data.attribute } : checked
}

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
  if (hasLoneSurrogate(content))
    return { line, problem: lineProblem('field', { name: 'line', problem: 'not_unicode' }), ...namesIn(body) }
  const parsed = uploadSchema.safeParse(body)
  const problems = [
    ...(parsed.success ? [] : schemaProblems(parsed.error)),
    ...findNearMisses(body, fields).map(({ name, meant }) => lineProblem('near_miss', { name, meant })),
  ]
  if (!parsed.success || problems.length > 0) return { line, problem: problems, ...namesIn(body) }
  const { uuid, image_url: url = parsed.data.images?.[0]?.url ?? '' } = parsed.data
  return { line, values: { uuid, image_url: url }, upload: parsed.data }
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

import { valueOf } from '../platform/value-of.ts'
import { z } from 'zod'
import { boundText } from '../platform/limits/bound-text.ts'
import { controlCharacters, findNearMisses, maxKeyLength } from '../platform/http/validation.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { Attribute } from '../vision/tagging.ts'
import { hasLoneSurrogate } from '../platform/http/text.ts'
import { maxColumns, maxLineLength, maxLines, maxRefusedBytes } from './import-errors.ts'
import { CsvFileError, type CsvRecord, openCsvTable, type TableProblem } from '../platform/csv/read-csv.ts'
import { editSchema, maxUuidLength, toPictures, uploadSchema } from '../garments/garment-fields.ts'
import { contentOf, type GivenPicture, haveSameContent, pictureAt } from '../garments/pictures/garment-picture.ts'
import { listingNames, plainKey } from '../garments/listing-values.ts'
import {
  type Column,
  type Columns,
  isChange,
  isImage,
  kindsColumn,
  measurementName,
  moreCells,
  readColumns,
  tagName,
} from './import-columns.ts'
import type { ExportRecord } from '../garments/export-record.ts'
import { detectLanguage } from '../garments/listing-texts/detect-language.ts'
import { fingerprintWords, withoutHtml } from '../garments/listing-texts/plain-text.ts'
import type { PictureKind } from '../vision/scene.ts'
import { sortedJson } from '../garments/upload-garment.ts'
import { findImageProblem, type ImagePolicy } from '../platform/outbound/fetch-image.ts'
import { maxUrlLength } from '../platform/outbound/target.ts'
import { lineProblem, type LineProblem, schemaProblems, storeProblems } from './import-line-problem.ts'
import { formatCount } from '../platform/format-count.ts'

const replaceControls = (text: string) => text.replaceAll(controlCharacters, '\ufffd')

/** A character that JSON leaves unescaped takes at most 3 UTF-8 bytes per UTF-16 code unit. */
const maxBytesOfUnit = 3

const utf8 = new TextEncoder()

const bytesOf = (text: string) => utf8.encode(JSON.stringify(text)).length + 1

/** Cuts a refused line's attributes to 16 KiB of JSON. */
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

export interface NewImportLine {
  readonly line: number
  readonly uuid: string
  readonly pictures: readonly GivenPicture[] | null
  /** JSON with sorted keys. For a refused line, the bounded cells of its attribute columns. */
  readonly attribute: string
  readonly number: number | null
  readonly status: 'waiting' | 'refused' | 'unmatched'
  /** Problem in the form that `problemText` reads. Empty if the line waits. */
  readonly problem: string
}

const limits = { maxRows: maxLines, maxColumns, maxRowLength: maxLineLength }

type Upload = z.infer<typeof uploadSchema>

const betweenAddresses = /\s*[\r\n|]+\s*|[,\s]\s*(?=https?:\/\/)/i

export type Row = GivenRow | BadRow

interface GivenRow extends Pick<Upload, 'image_url' | 'images' | 'number'> {
  readonly line: number
  readonly uuid: string
  readonly attribute: Attribute
  /** Corrections of tags and measurements, and the time of the export, by target. */
  readonly changes?: Attribute
  readonly question?: LineProblem
}

type BadRow = Pick<TableProblem, 'line' | 'more'> &
  Partial<Pick<GivenRow, 'image_url' | 'images'>> & {
    readonly problem: LineProblem | readonly LineProblem[]
    readonly uuid?: string
    readonly attribute?: Attribute
  }

/**
 * Opens a CSV file, whose rows are parsed lazily. Throws `CsvFileError` if the whole file is unusable: here, or while
 * iterating at the first row above the limit.
 * @param chosen maps a header to the attribute that the user chose for it
 */
export function openRows(text: string, chosen?: Readonly<Record<string, string>>) {
  const { columns, rows, work } = openCsvTable(text, limits)
  const read = readColumns(columns, chosen)
  if (!read.columns.some(({ target }) => target === 'uuid')) throw new CsvFileError(1, 'There is no column uuid.')
  return { rows: joinPictures(givenRows(rows, read.columns)), work, read }
}

function* givenRows(rows: Iterable<CsvRecord | TableProblem>, columns: readonly Column[]): Generator<Row> {
  for (const row of rows) {
    const cells = givenRow(row.line, row.values ?? {}, columns)
    if ('problem' in row) yield { ...cells, problem: row.problem, ...(row.more && { more: row.more }) }
    else yield cells
  }
}

/** Adds rows with nothing but a further picture, as Shopify writes them, to the row above with the same id. */
function* joinPictures(rows: Iterable<Row>): Generator<Row> {
  let last: Row | undefined
  for (const row of rows) {
    if (last !== undefined && !('problem' in last) && !('problem' in row) && isFurtherPicture(row, last.uuid)) {
      const { image_url: url, images = [] } = row
      last = { ...last, images: [...(last.images ?? []), ...(url === undefined ? [] : [{ url }]), ...images] }
      continue
    }
    if (last !== undefined) yield last
    last = row
  }
  if (last !== undefined) yield last
}

const isFurtherPicture = ({ uuid, image_url: url, number, ...row }: GivenRow, uuidAbove: string): boolean =>
  uuid === uuidAbove &&
  url !== undefined &&
  number === undefined &&
  Object.keys({ ...row.attribute, ...row.changes }).length === 0

function givenRow(line: number, values: Readonly<Record<string, string>>, columns: readonly Column[]): Row {
  let [uuid, numberText] = ['', '']
  const cells = new Map<string, string>()
  const attribute: Record<string, string> = {}
  const changes: Record<string, string> = {}
  let unnamed: Attribute | undefined = {}
  let kinds: string[] = []
  for (const { name, target } of columns) {
    const value = valueOf(values, name) ?? ''
    if (target === null || value === '') continue
    if (target === 'uuid') uuid = value
    else if (target === 'number') numberText = value
    else if (isImage(target)) cells.set(target, value)
    else if (target === kindsColumn) kinds = value.split(',').map((kind) => kind.trim().toLowerCase())
    else if (target === 'attribute') unnamed = readAttribute(value)
    else if (isChange(target)) changes[target] = value
    else attribute[target] = value
  }
  const all = cells.get('images')
  const urls = (all === undefined ? [...cells].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell) : [all])
    .flatMap((cell) => cell.split(betweenAddresses))
    .filter((url) => url !== '')
  const row = { line, uuid, ...givenImages(urls, kinds), attribute: { ...unnamed, ...attribute }, changes }
  if (unnamed === undefined) return { ...row, problem: lineProblem('no_object') }
  if (numberText === '') return row
  const digits = stockNumber.exec(numberText)?.[1]
  return digits === undefined ? { ...row, problem: lineProblem('no_number') } : { ...row, number: Number(digits) }
}

const stockNumber = /^(?:G[-\s]?)?(\d{1,12})$/i

function givenImages(
  [first, ...more]: readonly string[],
  kinds: readonly string[],
): Pick<GivenRow, 'image_url' | 'images'> {
  if (kinds.every((kind) => kind === '')) return { image_url: first, images: more.map((url) => ({ url })) }
  const urls = first === undefined ? [] : [first, ...more]
  const images = Array.from({ length: Math.max(urls.length, kinds.length) }, (_, place) => ({
    url: urls[place] ?? '',
    ...(kinds[place] ? { kind: kinds[place] as PictureKind } : {}),
  }))
  return { images }
}

/** Parses a JSON object of attributes and drops those with a column of their own. Undefined for invalid JSON. */
function readAttribute(json: string): Attribute | undefined {
  const parsed = z.record(z.string(), z.string()).safeParse(parseObject(json))
  if (!parsed.success) return undefined
  const named = Object.values(listingNames).flat().map(plainKey)
  return Object.fromEntries(Object.entries(parsed.data).filter(([name]) => !named.includes(plainKey(name))))
}

interface FoundGarment {
  readonly pictures: readonly GivenPicture[]
  readonly exports: Readonly<Record<string, ExportRecord>>
  readonly isComplete: boolean
}

export interface LineSource {
  readonly policy: ImagePolicy
  readonly read?: Columns | undefined
  readonly found?: ReadonlyMap<string, FoundGarment> | undefined
  readonly removed?: readonly string[] | undefined
  readonly lineOfUuid?: Map<string, number>
}

/**
 * Converts rows to import lines. Invalid rows become refused lines with their problems. A row edits the stored garment
 * of its uuid if the pictures are the same, otherwise it uploads a garment.
 */
export function* readLines(rows: Iterable<Row>, source: LineSource): Generator<NewImportLine> {
  const { lineOfUuid = new Map<string, number>() } = source
  for (const row of rows) {
    const line = readRow(row, source)
    const first = lineOfUuid.get(line.uuid)
    if (line.uuid !== '') lineOfUuid.set(line.uuid, first ?? line.line)
    const isRepeated = first !== undefined && line.problems.length === 0
    yield toNewLine(isRepeated ? { ...line, problems: [lineProblem('repeated_uuid', { line: first })] } : line)
  }
}

function readRow(row: Row, source: LineSource): CheckedLine {
  if ('problem' in row) return readBad(row)
  const { question } = row
  if (question === undefined) return isEdit(row, source) ? checkEdit(row, source) : checkRow(row, source)
  // Any garment may be chosen for the row, so it is checked without one.
  const hasPictures = toPictures(row).length > 0
  return { ...(hasPictures ? checkRow(row, source) : checkEdit(row, { ...source, found: undefined })), question }
}

function isEdit({ uuid, attribute, changes = {}, ...given }: GivenRow, { read, found }: LineSource): boolean {
  if (read !== undefined && !read.hasImages) return true
  const stored = found?.get(uuid)
  if (stored === undefined || read?.source === 'ours') return stored !== undefined
  const pictures = toPictures(given)
  const [first] = pictures
  const isSame =
    first === undefined ||
    read?.source === 'shop' ||
    // A row with a single URL means the garment with all its pictures.
    (pictures.length === 1 && first.kind === null
      ? stored.pictures.slice(0, 1).some((picture) => contentOf(picture) === contentOf(first))
      : haveSameContent(stored.pictures, pictures))
  return stored.isComplete && isSame && Object.keys(attribute).length + Object.keys(changes).length > 0
}

interface CheckedLine extends Omit<NewImportLine, 'attribute' | 'status' | 'problem'> {
  readonly attribute: Attribute
  readonly problems: readonly LineProblem[]
  readonly question?: LineProblem
}

function toNewLine({ problems, question, ...line }: CheckedLine): NewImportLine {
  if (problems.length === 0) {
    const valid = { ...line, attribute: sortedJson(line.attribute) }
    if (question === undefined) return { ...valid, status: 'waiting', problem: '' }
    return { ...valid, status: 'unmatched', problem: storeProblems([question]) }
  }
  const attribute = sortedJson(boundAttribute(line.attribute))
  const uuid = replaceControls(line.uuid)
  const pictures = line.pictures?.map(({ url }) => pictureAt(replaceControls(url ?? ''))) ?? null
  return { ...line, uuid, pictures, attribute, status: 'refused', problem: storeProblems(problems) }
}

function readBad({ line, problem, uuid = '', attribute = {}, more = [], ...given }: BadRow): CheckedLine {
  const pictures = toPictures(given)
  const kinds = pictures.some(({ kind }) => kind) && { [kindsColumn]: pictures.map(({ kind }) => kind).join(',') }
  const urls = boundText(pictures.map(({ url }) => url).join(' '), maxUrlLength)
  return {
    line,
    uuid: boundText(uuid, maxUuidLength),
    pictures: urls === '' ? null : [pictureAt(urls)],
    number: null,
    attribute: { ...boundNames(attribute), ...kinds, ...(more.length > 0 && { [moreCells]: more.join(', ') }) },
    problems: [problem].flat(),
  }
}

const boundNames = (attribute: Attribute) =>
  Object.fromEntries(Object.entries(attribute).filter(([name]) => name.length <= maxKeyLength))

/** A long number that a spreadsheet has rounded, such as `4.05E+12`. */
const roundedNumber = /^-?\d(?:[.,]\d+)?E[+-]\d{2,}$/i

/** A formula that keeps leading zeros in spreadsheets, such as `="000124"`. */
const formulaText = /^=/

const roundedValues = (attribute: Attribute): LineProblem[] =>
  Object.entries(attribute).flatMap(([name, value]) =>
    roundedNumber.test(value) && numberNames.includes(plainKey(name)) ? [lineProblem('rounded_number', { name })] : [],
  )

const numberNames: readonly string[] = [...listingNames.barcode, ...listingNames.sku, ...listingNames.mpn].map(plainKey)

/** Finds ids that a spreadsheet has altered. A garment stored under such an id could never be found again. */
function spoiltUuid(uuid: string): LineProblem[] {
  if (roundedNumber.test(uuid)) return [lineProblem('rounded_number', { name: 'uuid' })]
  return formulaText.test(uuid) ? [lineProblem('formula_uuid')] : []
}

function checkRow(row: GivenRow, { policy, read }: LineSource): CheckedLine {
  const { uuid, changes = {} } = row
  const pictures = { image_url: row.image_url ?? (row.images?.length ? undefined : ''), images: row.images }
  // Only our own export contains corrections. In other files these columns are attributes of the client.
  const words = Object.entries(changes).map(([name, value]) => [tagName(name) ?? measurementName(name) ?? name, value])
  const all = read?.source === 'ours' ? row.attribute : { ...Object.fromEntries(words), ...row.attribute }
  const attribute =
    read?.source === 'shop' && all['Description'] ? { ...all, Description: withoutHtml(all['Description']) } : all
  const parsed = uploadSchema.safeParse({ uuid, number: row.number, ...pictures, attribute })
  const problem = parsed.success ? [] : schemaProblems(parsed.error)
  if (read !== undefined) problem.push(...spoiltUuid(uuid), ...roundedValues(attribute))
  const images = toPictures(parsed.success ? parsed.data : pictures)
  const refused = images.map(({ url }) => findImageProblem(url ?? '', policy)).find((each) => each !== null)
  if (refused !== undefined) problem.push(lineProblem('image_url_refused', { problem: refused }))
  const checked = readBad({ ...row, attribute, problem })
  if (!parsed.success || problem.length > 0) return checked
  return { ...checked, pictures: images, attribute: parsed.data.attribute, number: parsed.data.number ?? null }
}

/**
 * Drops the title and the description of a shop's file if the latest file for a shop contained them, because generated
 * texts must not become the seller's. Edited texts replace those of their language.
 */
function editedTexts(attribute: Attribute, records: Readonly<Record<string, ExportRecord>>): Attribute {
  const exported = Object.values(records)
  const entries = Object.entries(attribute).flatMap(([name, value]): [string, string][] => {
    if (name !== 'Title' && name !== 'Description') return [[name, value]]
    const words = fingerprintWords(value)
    if (exported.some(({ title, description }) => words === (name === 'Title' ? title : description))) return []
    const [language, ...others] = new Set(exported.map((record) => record.language))
    const written = detectLanguage(value) ?? (others.length === 0 ? language : undefined)
    return [[written === undefined ? name : `${name} ${written}`, name === 'Title' ? value : withoutHtml(value)]]
  })
  return Object.fromEntries(entries)
}

/** Checks a row that edits a garment. In the stored line, an empty value removes the attribute. */
function checkEdit({ line, uuid, changes, ...row }: GivenRow, { read, found, removed = [] }: LineSource): CheckedLine {
  const given = { ...row.attribute, ...Object.fromEntries(removed.map((name) => [name, ''])) }
  // Once a person has chosen the garment, its texts can be compared.
  const attribute =
    read?.source === 'shop' && row.question === undefined ? editedTexts(given, found?.get(uuid)?.exports ?? {}) : given
  const parsed = editSchema.safeParse({ uuid, attribute })
  const problem = parsed.success ? [] : schemaProblems(parsed.error)
  // A stored garment may really have such a uuid.
  if (found?.has(uuid) !== true) problem.push(...spoiltUuid(uuid))
  if (read !== undefined) problem.push(...roundedValues(attribute))
  if (problem.length === 0 && found?.has(uuid) === false) problem.push(lineProblem('unknown_garment'))
  const all = { ...(parsed.success ? parsed.data.attribute : attribute), ...changes }
  if (parsed.success && Object.keys(all).length === 0) problem.push(lineProblem('changes_nothing'))
  return { ...readBad({ line, problem, uuid, attribute: all }), ...(problem.length === 0 && { attribute: all }) }
}

const fields = Object.keys(uploadSchema.shape)

/** Opens a file of JSON lines. Throws `CsvFileError` while iterating, at the first line above the limit. */
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
    // Empty lines count as well, because skipping megabytes of them would take seconds.
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
  return { line, ...parsed.data }
}

function parseObject(content: string): object | null {
  const value = parseJson(content)
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}

function namesIn(body: object) {
  const textOf = (name: string) => {
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
    return typeof value === 'string' ? value : ''
  }
  return { uuid: textOf('uuid'), image_url: textOf('image_url') }
}

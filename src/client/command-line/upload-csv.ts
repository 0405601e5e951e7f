import { basename } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { openCsvTable } from '../../platform/csv/read-csv.ts'
import type { Client } from '../create-client.ts'
import { tell, UsageError } from './command.ts'
import { countResults, openResults, type OutputValues, type Progress, startProgress } from './results.ts'
import { followImports, reportRefused, type SentImport, tellSummary } from './follow-imports.ts'
import { readTextFile } from '../../platform/csv/decode-text.ts'

/** The service's limits for one import; a greater file is sent in parts. */
const maxRows = 10_000
const maxBytes = 8 * 1024 * 1024
/** Room for a header, and for letters of several bytes. */
const maxPartBytes = maxBytes - 256 * 1024

const limits = { maxRows: 1_000_000, maxColumns: 300, maxRowLength: 40_000 }

interface CsvPart {
  /** With the names of the columns. */
  readonly text: string
  /** What to add to the number of a line in `text` for its number in the file. */
  readonly lineOffset: number
}

export interface CsvLines {
  readonly parts: readonly CsvPart[]
  /** Lines below the header. */
  readonly count: number
  /** The uuid on each line that has one, by the number of the line in the file. */
  readonly uuids: Map<number, string>
}

/** A CSV file in parts that one import takes each. A file with which nothing can be done is one part as it is. */
export function splitCsv(text: string): CsvLines {
  const uuids = new Map<number, string>()
  const starts: number[] = []
  try {
    const { rows } = openCsvTable(text, limits)
    for (const row of rows) {
      starts.push(row.line)
      const [, uuid] = Object.entries(row.values ?? {}).find(([name]) => name.toLowerCase() === 'uuid') ?? []
      if (uuid) uuids.set(row.line, uuid)
    }
  } catch {
    // What is wrong with the file, the service says in the same words as to everybody.
    return { parts: [{ text, lineOffset: 0 }], count: 0, uuids }
  }
  return { parts: partsOf(text, starts), count: starts.length, uuids }
}

function partsOf(text: string, starts: readonly number[]): CsvPart[] {
  const isSmall = starts.length <= maxRows && Buffer.byteLength(text) <= maxBytes
  const [first] = starts
  if (isSmall || first === undefined) return [{ text, lineOffset: 0 }]
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
  const header = lines.slice(0, first - 1)
  const parts: CsvPart[] = []
  for (let from = 0; from < starts.length;) {
    let [to, bytes] = [from, 0]
    let rows: string[] = []
    for (; to < starts.length && to - from < maxRows; to++) {
      const row = lines.slice((starts[to] ?? 1) - 1, (starts[to + 1] ?? lines.length + 1) - 1)
      bytes += Buffer.byteLength(row.join(''))
      if (bytes > maxPartBytes && to > from) break
      rows.push(...row)
    }
    parts.push({ text: [...header, ...rows].join(''), lineOffset: (starts[from] ?? 1) - 1 - header.length })
    from = to
  }
  return parts
}

interface CsvFile {
  /** `-` for the standard input. */
  readonly path: string
  readonly text: string
}

export interface UploadValues extends OutputValues {
  readonly 'no-wait'?: boolean | undefined
}

/** Where repetitions of requests are shown. */
export interface Shown {
  progress?: Progress | undefined
}

/** Sends a CSV file as an import, or as several if it is large, and writes the results. Returns the exit code. */
export async function uploadCsv(
  client: Client,
  { path, text: fileText }: CsvFile,
  values: UploadValues,
  shown: Shown,
  signal: AbortSignal,
): Promise<number> {
  const { parts, count, uuids } = splitCsv(fileText)
  const waits = values['no-wait'] !== true
  const results = waits ? openResults(client, values, true) : countResults()
  const name = path === '-' ? 'Standard input' : basename(path).slice(-200)
  const imports: SentImport[] = []
  try {
    for (const { text, lineOffset } of parts) {
      const { id, accepted, refused } = await client.importGarments(text, { name, signal })
      imports.push({ id, lineOffset })
      tell(`Import ${id}: ${accepted} accepted, ${refused} refused.`)
    }
    if (waits) {
      shown.progress = startProgress('Tagging', count)
      await followImports(client, { imports, uuids }, { results, progress: shown.progress, signal })
    } else await reportRefused(client, imports, { uuids, known: new Set() }, { results, signal })
  } finally {
    shown.progress?.end()
    await results.end()
    if (imports.length > 0 && waits) tellSummary(results, count)
  }
  return (results.counts.get('complete') ?? 0) === count || (!waits && results.counts.size === 0) ? 0 : 1
}

/** The text of a file, or of the standard input for `-`. */
export function readCsvFile(path: string): string {
  if (path !== '-' && !existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  const read = readTextFile(readFileSync(path === '-' ? 0 : path))
  if ('problem' in read) throw new UsageError(`${path}: ${read.problem}.`)
  return read.text
}

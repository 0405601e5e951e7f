import { basename } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { openCsvTable } from '../../platform/csv/read-csv.ts'
import type { Client } from '../create-client.ts'
import { tell, UsageError } from './command.ts'
import { countResults, openResults, type OutputValues, type Progress, startProgress } from './results.ts'
import { followImports, reportRefused, type SentImport, tellSummary } from './follow-imports.ts'
import { readTextFile } from '../../platform/csv/decode-text.ts'

/** The service's limits for one import. Larger files are sent in several parts. */
const maxRows = 10_000
const maxBytes = 8 * 1024 * 1024
/** Leaves room for the header. */
const maxPartBytes = maxBytes - 256 * 1024

const limits = { maxRows: 1_000_000, maxColumns: 300, maxRowLength: 40_000 }

interface CsvPart {
  readonly text: string
  readonly lineOffset: number
}

export interface SplitCsv {
  readonly parts: readonly CsvPart[]
  readonly count: number
  readonly uuids: Map<number, string>
}

/** Splits a CSV file into parts of at most one import each. An unreadable file becomes one part, unchanged. */
export function splitCsv(text: string): SplitCsv {
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
    // The service's error explains what is wrong with the file.
    return { parts: [{ text, lineOffset: 0 }], count: 0, uuids }
  }
  return { parts: splitRows(text, starts), count: starts.length, uuids }
}

function splitRows(text: string, starts: readonly number[]): CsvPart[] {
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
  /** `-` means standard input. */
  readonly path: string
  readonly text: string
}

export interface UploadValues extends OutputValues {
  readonly 'no-wait'?: boolean | undefined
}

export interface Shown {
  progress?: Progress | undefined
}

/** Sends a CSV file as one or more imports. Returns the exit code. */
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

export function readCsvFile(path: string): string {
  if (path !== '-' && !existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  const read = readTextFile(readFileSync(path === '-' ? 0 : path))
  if ('problem' in read) throw new UsageError(`${path}: ${read.problem}.`)
  return read.text
}

import { closeSync, openSync, writeSync } from 'node:fs'
import { tell, UsageError } from './command.ts'
import { writeRow } from '../../platform/csv/write-csv.ts'
import type { Client } from '../create-client.ts'
import type { Garment } from '../types.ts'

export interface Output {
  readonly write: (text: string) => Promise<void>
  readonly close: () => void
}

/** Opens the output before the first request, so that no result is lost. */
export function openOutput(path: string | undefined): Output {
  if (path === undefined) return { write: writeToStandardOutput, close() {} }
  const file = openFile(path)
  return {
    // Writes without a buffer, so that the file is complete however the process ends.
    write(text) {
      for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(file, rest))
      return Promise.resolve()
    },
    close() {
      closeSync(file)
      tell(`Saved ${path}.`)
    },
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

async function writeToStandardOutput(text: string): Promise<void> {
  // Waits for the callback, because `drain` never comes after the pipe's reader has closed.
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

type Format = 'json' | 'csv'

export const outputOptions = { format: { type: 'string' }, output: { type: 'string', short: 'o' } } as const

export const outputHelp = `  --format json|csv    format of the results; by default the extension of --output, or else json
  -o, --output FILE    write results to a file instead of standard output`

export interface OutputValues {
  readonly format?: string | undefined
  readonly output?: string | undefined
}

interface NoGarment {
  readonly uuid: string
  readonly status: 'refused' | 'missing'
  readonly failure_reason: string
}

export interface Results {
  readonly write: (result: Garment | NoGarment) => Promise<void>
  /** Completes the document. Must be called after a failure, too. */
  readonly end: () => Promise<void>
  readonly counts: ReadonlyMap<string, number>
}

export function formatOf({ format, output }: OutputValues): Format {
  const chosen = format ?? (output?.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
  if (chosen !== 'json' && chosen !== 'csv') throw new UsageError('--format must be json or csv.')
  return chosen
}

/** Opens the output. For a list, JSON is an array with one result per line. */
export function openResults(client: Client, values: OutputValues, isList: boolean): Results {
  const format = formatOf(values)
  const output = openOutput(values.output)
  const write = format === 'csv' ? csvWriter(client) : isList ? listWriter() : objectWriter
  const counts = new Map<string, number>()
  return {
    counts,
    async write(result) {
      await output.write(await write(result))
      counts.set(result.status, (counts.get(result.status) ?? 0) + 1)
    },
    async end() {
      if (format === 'json' && isList) await output.write(counts.size === 0 ? '[]\n' : '\n]\n')
      output.close()
    },
  }
}

export function countResults(): Results {
  const counts = new Map<string, number>()
  return {
    counts,
    write: ({ status }) => Promise.resolve(void counts.set(status, (counts.get(status) ?? 0) + 1)),
    end: () => Promise.resolve(),
  }
}

export const countWritten = ({ counts }: Results) => [...counts.values()].reduce((sum, count) => sum + count, 0)

type ToText = (result: Garment | NoGarment) => string | Promise<string>

const objectWriter: ToText = (result) => `${JSON.stringify(result, null, 2)}\n`

function listWriter(): ToText {
  let separator = '[\n'
  return (result) => {
    const text = separator + JSON.stringify(result)
    separator = ',\n'
    return text
  }
}

const ownColumns = ['uuid', 'status', 'failure_reason', 'failure_code', 'description', 'annotated_img']

/** Writes a column for every known tag and measurement, because the header precedes the results. */
function csvWriter(client: Client): ToText {
  let columns: readonly string[] | undefined
  return async (result) => {
    const header = columns === undefined
    columns ??= [...ownColumns, ...(await resultNames(client))]
    const row = writeRow(cellsOf(result, columns))
    return header ? writeRow(columns) + row : row
  }
}

async function resultNames(client: Client): Promise<string[]> {
  const { attributes, measurements } = await client.getTaxonomy()
  const tags = attributes.flatMap(({ name, ranked }) =>
    ranked ? [name, `${name} Alternatives`, `${name} Confidence`] : [name],
  )
  return [...tags.sort(), ...measurements.toSorted()]
}

function cellsOf(result: Garment | NoGarment, columns: readonly string[]): string[] {
  const { tag, measurements, ...others } = { tag: null, measurements: null, ...result }
  const values = new Map<string, unknown>(Object.entries({ ...others, ...tag, ...measurements }))
  return columns.map((name) => cellOf(values.get(name)))
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export type Progress = ReturnType<typeof startProgress>

const barWidth = 24
/** Interval of progress messages outside a terminal. */
const lineIntervalMs = 10_000

function progressLine(label: string, done: number, total: number, remark: string): string {
  const filled = Math.floor((done / Math.max(total, 1)) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return `${label} ${bar} ${done}/${total}${remark === '' ? '' : `  ${remark}`}`
}

export function startProgress(label: string, total: number) {
  const { stderr } = process
  let [done, shownAt, remark] = [0, Date.now(), '']
  function show(isLast: boolean) {
    if (stderr.isTTY) {
      const line = progressLine(label, done, total, remark).slice(0, (stderr.columns || 80) - 1)
      return void stderr.write(`\r\u001B[K${line}${isLast ? '\n' : ''}`)
    }
    if (!isLast && Date.now() - shownAt < lineIntervalMs) return
    shownAt = Date.now()
    stderr.write(`${label}: ${done}/${total}${remark === '' ? '' : `, ${remark}`}\n`)
  }
  show(false)
  return {
    update(count: number, text = '') {
      ;[done, remark] = [count, text]
      show(false)
    },
    remark(text: string) {
      remark = text
      show(false)
    },
    end() {
      remark = ''
      show(true)
    },
  }
}

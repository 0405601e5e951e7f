import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { writeRow } from '../../csv/write-csv.ts'
import type { Garment } from '../types.ts'
import { tell, UsageError } from './command.ts'

type Format = 'json' | 'csv'

export const outputOptions = { format: { type: 'string' }, output: { type: 'string', short: 'o' } } as const

export const outputHelp = `  --format json|csv    how results are written; by default as the ending of --output says, else json
  -o, --output FILE    write results to a file instead of the standard output`

interface OutputValues {
  readonly format?: string | undefined
  readonly output?: string | undefined
}

/** Throws a `UsageError` for any other format. */
export function formatOf({ format, output }: OutputValues): Format {
  const chosen = format ?? (output?.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
  if (chosen !== 'json' && chosen !== 'csv') throw new UsageError('--format must be json or csv.')
  return chosen
}

/** Writes text to the file, or to the standard output. */
export async function writeOutput(output: string | undefined, chunks: AsyncIterable<string>): Promise<void> {
  const stream = output === undefined ? process.stdout : createWriteStream(output)
  // Otherwise a file that cannot be opened would end the process without a sentence.
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  const write = async () => {
    for await (const chunk of chunks) if (!stream.write(chunk)) await once(stream, 'drain')
    if (output === undefined) return
    stream.end()
    await once(stream, 'close')
    tell(`Saved ${output}.`)
  }
  await Promise.race([write(), failed])
}

/** Writes garments as `output` and `format` say. A single one as JSON is an object, several are an array. */
export async function writeGarments(garments: readonly Garment[], values: OutputValues): Promise<void> {
  const text = formatOf(values) === 'csv' ? garmentsCsv(garments) : garmentsJson(garments)
  await writeOutput(values.output, one(text))
}

async function* one(text: string) {
  yield text
}

const garmentsJson = (garments: readonly Garment[]) =>
  `${JSON.stringify(garments.length === 1 ? garments[0] : garments, null, 2)}\n`

const cellOf = (value: string | readonly string[] | number | undefined) =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '')

/** A column for each tag and measurement that any of the garments has. */
function garmentsCsv(garments: readonly Garment[]): string {
  const tags = [...new Set(garments.flatMap(({ tag }) => Object.keys(tag ?? {})))].sort()
  const measurements = [...new Set(garments.flatMap((each) => Object.keys(each.measurements ?? {})))].sort()
  const header = [
    'uuid',
    'status',
    'failure_reason',
    'failure_code',
    'description',
    'annotated_img',
    ...tags,
    ...measurements,
  ]
  const rows = garments.map(({ uuid, status, failure_reason, failure_code, description, annotated_img, ...result }) => [
    uuid,
    status,
    failure_reason,
    failure_code,
    description,
    annotated_img,
    ...tags.map((name) => cellOf(result.tag?.[name])),
    ...measurements.map((name) => cellOf(result.measurements?.[name])),
  ])
  return [header, ...rows].map(writeRow).join('')
}

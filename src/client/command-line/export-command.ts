import { parseArgs } from 'node:util'
import type { Client } from '../create-client.ts'
import type { ExportFilter } from '../types.ts'
import { type Command, type Context, UsageError } from './command.ts'
import { connect } from './connect.ts'
import { formatOf, openOutput, outputHelp, outputOptions } from './results.ts'

const statuses = ['queuing', 'processing', 'complete', 'failed'] as const

const help = `Usage: garment-tagging export [--from TIME] [--to TIME] [--status STATUS]

Writes all garments with their uploads, results and original results before corrections,
oldest first.

  --from TIME          uploaded at this time or later, such as 2026-11-01 or 2026-11-01T12:00:00Z
  --to TIME            uploaded before this time
  --status STATUS      ${statuses.join(', ')}
${outputHelp}`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { from: text, to: text, status: text, ...outputOptions } })
  const status = statuses.find((each) => each === values.status)
  if (values.status !== undefined && status === undefined)
    throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
  const filter = { from: values.from, to: values.to, status }
  const toChunks = formatOf(values) === 'csv' ? csvChunks : jsonChunks
  const client = connect()
  const output = openOutput(values.output)
  try {
    for await (const chunk of toChunks(client, filter, signal)) await output.write(chunk)
  } finally {
    output.close()
  }
  return 0
}

async function* csvChunks(client: Client, filter: ExportFilter, signal: AbortSignal) {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Client['exportCsvPage']>> = await client.exportCsvPage(
      { ...filter, cursor },
      { signal },
    )
    // Every page begins with the header, which the file needs once.
    yield cursor === null ? page.csv : page.csv.slice(page.csv.indexOf('\r\n') + 2)
    cursor = page.next_cursor
  } while (cursor !== null)
}

async function* jsonChunks(client: Client, filter: ExportFilter, signal: AbortSignal) {
  let separator = '[\n'
  for await (const garment of client.exportGarments(filter, { signal })) {
    yield separator + JSON.stringify(garment)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export const exportCommand: Command = { summary: 'write all garments as JSON or CSV', help, run }

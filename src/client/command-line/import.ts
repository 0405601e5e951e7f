import { parseArgs } from 'node:util'
import type { Client } from '../create-client.ts'
import type { Import } from '../types.ts'
import { followImports, tellSummary } from './follow-imports.ts'
import { type Command, type Context, tell, UsageError } from './command.ts'
import { connect } from './connect.ts'
import { formatOf, openResults, outputHelp, outputOptions, startProgress } from './results.ts'

const help = `Usage: garment-tagging import ID [--wait | --pause | --resume]

Writes the progress of an import, which "garment-tagging upload --csv" began.

  --wait               wait until its last line has ended, and write the result of each line
  --pause              stop it; what was sent but not begun is held back
  --resume             let it go on
${outputHelp}

With --wait the exit code is 1 if a line was refused or could not be tagged.`

const options = {
  wait: { type: 'boolean' },
  pause: { type: 'boolean' },
  resume: { type: 'boolean' },
  ...outputOptions,
} as const

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { wait = false, pause = false, resume = false } = values
  formatOf(values)
  const [id] = positionals
  if (id === undefined || positionals.length > 1)
    throw new UsageError('Give the id of one import. To import a file, use "garment-tagging upload --csv FILE".')
  if ([wait, pause, resume].filter(Boolean).length > 1)
    throw new UsageError('Give one of --wait, --pause and --resume.')
  if (!wait && (values.output !== undefined || values.format !== undefined))
    throw new UsageError('--output and --format go with --wait.')
  const client = connect()
  if (wait) return await writeResults(client, id, values, signal)
  if (pause || resume) {
    await client.pauseImport(id, pause, { signal })
    tell(pause ? 'The import is paused.' : 'The import goes on.')
    return 0
  }
  const { lines: _lines, next_cursor: _next, ...progress } = await client.getImport(id, { limit: 1 }, { signal })
  process.stdout.write(`${JSON.stringify(progress, null, 2)}\n`)
  return 0
}

async function writeResults(
  client: Client,
  id: string,
  values: Parameters<typeof formatOf>[0],
  signal: AbortSignal,
): Promise<number> {
  const results = openResults(client, values, true)
  let total = 0
  try {
    const uuids = await readUuids(client, id, signal)
    total = uuids.size
    const progress = startProgress('Tagging', total)
    try {
      await followImports(client, { imports: [{ id, lineOffset: 0 }], uuids }, { results, progress, signal })
    } finally {
      progress.end()
    }
  } finally {
    await results.end()
    if (total > 0) tellSummary(results, total)
  }
  return results.counts.get('complete') === total ? 0 : 1
}

async function readUuids(client: Client, id: string, signal: AbortSignal): Promise<Map<number, string>> {
  const uuids = new Map<number, string>()
  let cursor: string | null = null
  do {
    const page: Import = await client.getImport(id, { limit: 1000, cursor }, { signal })
    for (const { line, uuid } of page.lines) uuids.set(line, uuid)
    cursor = page.next_cursor
  } while (cursor !== null)
  return uuids
}

export const importCommand: Command = { summary: 'show, follow, pause or resume an import', help, run }

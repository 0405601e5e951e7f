import { parseArgs } from 'node:util'
import { GarmentTaggingError } from '../connection.ts'
import { type Command, type Context, pairsOf, tell, UsageError } from './command.ts'
import { connect } from './connect.ts'
import { countWritten, formatOf, openOutput, openResults, outputHelp, outputOptions } from './results.ts'
import type { Client } from '../create-client.ts'
import type { ExportFilter } from '../types.ts'

const help = `Usage: garment-tagging query UUID ...

Writes garments as they are now: one as an object, several as an array.

  --wait               wait until each is complete or failed
${outputHelp}

The exit code is 1 if any is missing or could not be tagged.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const options = { wait: { type: 'boolean' }, ...outputOptions } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  formatOf(values)
  if (positionals.length === 0) throw new UsageError('Give the uuid of a garment.')
  const client = connect()
  const results = openResults(client, values, positionals.length > 1)
  try {
    for (const uuid of positionals) {
      const garment = await client.query(uuid, { signal }).catch((error: unknown) => tellMissing(error, uuid))
      if (garment === null) continue
      const isWaiting = garment.status === 'queuing' || garment.status === 'processing'
      await results.write(values.wait === true && isWaiting ? await client.wait(uuid, { signal }) : garment)
    }
  } finally {
    await results.end()
  }
  return countWritten(results) === positionals.length && !results.counts.has('failed') ? 0 : 1
}

/** So that the others are written all the same. */
function tellMissing(error: unknown, uuid: string): null {
  if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
  tell(`${uuid}: ${error.message}`)
  return null
}

export const query: Command = { summary: 'write garments as they are now', help, run }

const helpCorrect = `Usage: garment-tagging correct UUID [--tag NAME=VALUE ...] [--measurement NAME=CM ...]
                               [--attribute NAME=VALUE ...]

Corrects or confirms values of a garment, and writes it.

  --tag NAME=VALUE           such as Colour=Navy
  --measurement NAME=CM      such as "Chest (cm)=52"
  --attribute NAME=VALUE     what you know of it, such as Brand=Ann

Without a value (--tag Colour=) a correction is taken back and an attribute is removed.`

const options = {
  tag: { type: 'string', multiple: true },
  measurement: { type: 'string', multiple: true },
  attribute: { type: 'string', multiple: true },
} as const

async function runCorrect(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [uuid] = positionals
  if (uuid === undefined || positionals.length > 1) throw new UsageError('Give the uuid of one garment.')
  const correction = {
    tag: textsOf('--tag', values.tag),
    measurements: numbersOf('--measurement', values.measurement),
    attribute: textsOf('--attribute', values.attribute),
  }
  if (Object.values(correction).every((each) => Object.keys(each).length === 0))
    throw new UsageError('Give --tag, --measurement or --attribute.')
  const garment = await connect().correct(uuid, correction, { signal })
  process.stdout.write(`${JSON.stringify(garment, null, 2)}\n`)
  return 0
}

const mapValues = <T>(pairs: Readonly<Record<string, string>>, toValue: (text: string, name: string) => T) =>
  Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, text === '' ? null : toValue(text, name)]))

const textsOf = (option: string, pairs: readonly string[] | undefined) =>
  mapValues(pairsOf(option, pairs), (text) => text)

const numbersOf = (option: string, pairs: readonly string[] | undefined) =>
  mapValues(pairsOf(option, pairs), (text, name) => {
    if (!/^\d{1,4}(\.\d{1,2})?$/.test(text)) throw new UsageError(`${option} ${name} must be a number of centimetres.`)
    return Number(text)
  })

export const correct: Command = {
  summary: 'correct or confirm values of a garment',
  help: helpCorrect,
  run: runCorrect,
}

const helpDelete = `Usage: garment-tagging delete UUID ...

Deletes garments with their pictures, in any state. What is pending of their webhooks ends. A later
upload of the same uuid is a new garment.

The exit code is 1 if any is not there.`

async function runDelete(args: string[], { signal }: Context): Promise<number> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  if (positionals.length === 0) throw new UsageError('Give the uuid of a garment.')
  const client = connect()
  let missing = 0
  for (const uuid of positionals) {
    const deleted = await client.delete(uuid, { signal }).catch((error: unknown) => tellMissing(error, uuid))
    if (deleted === null) missing++
    else tell(`Deleted ${uuid}.`)
  }
  return missing === 0 ? 0 : 1
}

export const deleteCommand: Command = { summary: 'delete garments', help: helpDelete, run: runDelete }

const statuses = ['queuing', 'processing', 'complete', 'failed'] as const

const helpExport = `Usage: garment-tagging export [--from TIME] [--to TIME] [--status STATUS]

Writes all garments with what was uploaded, the result, and the result before any correction,
oldest first.

  --from TIME          uploaded at this time or later, such as 2026-11-01 or 2026-11-01T12:00:00Z
  --to TIME            uploaded before this time
  --status STATUS      ${statuses.join(', ')}
${outputHelp}`

async function runExport(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { from: text, to: text, status: text, ...outputOptions } })
  const status = statuses.find((each) => each === values.status)
  if (values.status !== undefined && status === undefined)
    throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
  const filter = { from: values.from, to: values.to, status }
  const chunksOf = formatOf(values) === 'csv' ? csvChunks : jsonChunks
  const client = connect()
  const output = openOutput(values.output)
  try {
    for await (const chunk of chunksOf(client, filter, signal)) await output.write(chunk)
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
    // Every page repeats the names of the columns.
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

export const exportCommand: Command = { summary: 'write all garments as JSON or CSV', help: helpExport, run: runExport }

const helpRedeliver = `Usage: garment-tagging redeliver UUID [--endpoint ID]
       garment-tagging redeliver --from TIME --to TIME [--endpoint ID]

Sends the webhook of a garment once more, now, and writes its delivery; or those of a time, in the
background: every delivery that was created then and has ended.

  --from TIME        such as 2026-11-01T12:00:00Z
  --to TIME          the end of that time
  --endpoint ID      only to this endpoint. Without it, a uuid means the first one and a time all`

const text = { type: 'string' } as const

async function runRedeliver(args: string[], { signal }: Context): Promise<number> {
  const options = { from: text, to: text, endpoint: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { from, to, endpoint } = values
  const [uuid] = positionals
  const ofEndpoint = endpoint === undefined ? {} : { endpoint }
  if (uuid !== undefined && positionals.length === 1 && from === undefined && to === undefined) {
    const delivery = await connect().redeliver(uuid, { signal, ...ofEndpoint })
    process.stdout.write(`${JSON.stringify(delivery, null, 2)}\n`)
    return 0
  }
  if (uuid !== undefined || from === undefined || to === undefined)
    throw new UsageError('Give the uuid of one garment, or --from and --to.')
  await connect().redeliverRange({ from, to, ...ofEndpoint }, { signal })
  tell('The service sends them in the background.')
  return 0
}

export const redeliver: Command = { summary: 'send webhooks once more', help: helpRedeliver, run: runRedeliver }

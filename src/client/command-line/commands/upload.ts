import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { decodeText } from '../../../csv/decode-text.ts'
import type { Garment } from '../../types.ts'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { connect, describeRetry } from '../connect.ts'
import { startProgress, type Progress } from '../progress.ts'
import { readUploads, type UploadRow } from '../read-uploads.ts'
import { formatOf, outputHelp, outputOptions, writeGarments } from '../results.ts'
import { uploadAll, waitForAll } from '../upload-all.ts'

const help = `Usage: garment-tagging upload IMAGE_URL [--uuid ID] [--attribute NAME=VALUE ...]
       garment-tagging upload --csv FILE

Uploads a garment, or all garments of a CSV file, waits until they are tagged and writes the
results. The service reads the pictures from their URLs. Repeating a command is safe: what was
uploaded already is not tagged twice.

  --uuid ID            identifies the garment; by default a new one
  --attribute NAME=VALUE
                       what you know of it: Brand, Category, Gender, Material, Studio or any other
  --csv FILE           with the columns uuid and image_url; every other column is an attribute.
                       - is the standard input
  --no-wait            do not wait for the results
${outputHelp}

The exit code is 1 if a garment was refused or could not be tagged.`

const options = {
  uuid: { type: 'string' },
  attribute: { type: 'string', multiple: true },
  csv: { type: 'string' },
  'no-wait': { type: 'boolean' },
  ...outputOptions,
} as const

/** The clocks of the service and of this machine may differ by this. */
const clockToleranceMs = 10 * 60_000

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  formatOf(values)
  const rows = rowsOf(positionals, values)
  let progress: Progress | undefined
  // So that a long list outlives a restart of the service.
  const client = connect({ maxRetries: 10, onRetry: (error, waitMs) => progress?.remark(describeRetry(error, waitMs)) })
  const since = new Date(Date.now() - clockToleranceMs)

  progress = startProgress('Uploading', rows.length)
  const { accepted, rejected } = await uploadAll(client, rows, progress, signal)
  progress.end()
  for (const { line, reason } of rejected) tell(line === 0 ? reason : `line ${line}: ${reason}`)
  if (rows.length === 1 && accepted.length === 1) tell(`The garment's uuid is ${accepted[0]}`)
  if (values['no-wait'] === true) return rejected.length === 0 ? 0 : 1

  if (accepted.length === 0) return 1
  progress = startProgress('Tagging', accepted.length)
  const [only] = accepted
  const garments =
    accepted.length === 1 && only !== undefined
      ? [await client.wait(only, { signal, onPoll: ({ status }) => progress?.remark(status) })]
      : await waitForAll(client, accepted, since, progress, signal)
  progress.update(garments.length)
  progress.end()
  await writeGarments(garments, values)
  return tellFailures(garments) + rejected.length === 0 ? 0 : 1
}

interface Values {
  readonly uuid?: string | undefined
  readonly attribute?: string[] | undefined
  readonly csv?: string | undefined
}

function rowsOf(positionals: readonly string[], { uuid, attribute = [], csv }: Values): UploadRow[] {
  const [imageUrl] = positionals
  if (csv !== undefined) {
    if (imageUrl !== undefined || uuid !== undefined || attribute.length > 0)
      throw new UsageError('--csv goes without an image URL, --uuid and --attribute.')
    if (csv !== '-' && !existsSync(csv)) throw new UsageError(`There is no file ${csv}.`)
    return readUploads(decodeText(readFileSync(csv === '-' ? 0 : csv)))
  }
  if (imageUrl === undefined) throw new UsageError('Give the URL of an image, or --csv FILE.')
  if (positionals.length > 1) throw new UsageError('Give one URL; for several garments use --csv.')
  if (!URL.canParse(imageUrl))
    throw new UsageError(`${imageUrl} is not a URL. The service reads pictures from http and https addresses.`)
  return [{ line: 0, upload: { uuid: uuid ?? randomUUID(), image_url: imageUrl, attribute: attributesOf(attribute) } }]
}

function attributesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageError(`--attribute must be NAME=VALUE, not ${pair}.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** The number of garments that could not be tagged. */
function tellFailures(garments: readonly Garment[]): number {
  const failed = garments.filter(({ status }) => status === 'failed')
  for (const { uuid, failure_reason } of failed) tell(`${uuid} could not be tagged: ${failure_reason}`)
  return failed.length
}

export const upload: Command = { summary: 'upload garments, wait and write the results', help, run }

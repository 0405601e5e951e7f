import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from '../create-client.ts'
import type { Garment } from '../types.ts'
import { readCsvFile, type Shown, uploadCsv, type UploadValues } from './upload-csv.ts'
import { type Command, type Context, parsePairs, tell, UsageError } from './command.ts'
import { connect, describeRetry } from './connect.ts'
import { countResults, formatOf, openResults, outputHelp, outputOptions, startProgress } from './results.ts'

const help = `Usage: garment-tagging upload IMAGE ... [--uuid ID] [--attribute NAME=VALUE ...]
       garment-tagging upload --csv FILE

Uploads one garment, or all garments of a CSV file, and writes each result as soon as it is tagged.
IMAGE is a file, or a URL from which the service downloads the picture. One garment can have up to
eight images. Repeating a command is safe: uploaded garments are not tagged twice.

  --uuid ID            identifies the garment; by default a new random UUID
  --attribute NAME=VALUE
                       known attribute: Brand, Category, Gender, Material, Studio or any other
  --csv FILE           CSV file with the columns uuid and image_url, or - for standard input. Every
                       other column is an attribute. The file becomes an import, which continues
                       after Ctrl+C. Results include rows that were refused
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

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { csv, ...others } = values
  formatOf(values)
  const [image] = positionals
  const shown: Shown = {}
  const newClient = () => connect((error, waitMs) => showRetry(shown, describeRetry(error, waitMs)))
  if (csv !== undefined) {
    if (image !== undefined || values.uuid !== undefined || values.attribute !== undefined)
      throw new UsageError('--csv cannot be combined with an image, --uuid or --attribute.')
    const file = { path: csv, text: readCsvFile(csv) }
    return await uploadCsv(newClient(), file, others, shown, signal)
  }
  if (image === undefined) throw new UsageError('Give the URL of an image, or --csv FILE.')
  const send = planUpload(positionals, {
    uuid: others.uuid ?? randomUUID(),
    attribute: parsePairs('--attribute', others.attribute),
  })
  return await uploadOne(newClient(), send, others, shown, signal)
}

function showRetry({ progress }: Shown, text: string): void {
  if (progress === undefined) tell(text)
  else progress.remark(text)
}

interface GarmentInput {
  readonly uuid: string
  readonly attribute: Readonly<Record<string, string>>
}

type Send = (client: Client, signal: AbortSignal) => Promise<string>

type PictureInput = { readonly url: string } | { readonly image: Blob; readonly name: string }

function readImage(image: string): PictureInput {
  if (existsSync(image)) return { image: new Blob([readFileSync(image)]), name: basename(image) }
  if (URL.canParse(image)) return { url: image }
  throw new UsageError(`${image} is neither a file nor an http or https URL.`)
}

const maxCallBytes = 95_000_000

/** Sends the leading URLs or files in one request, and adds each further picture by its own request. */
function planUpload(images: readonly string[], { uuid, attribute }: GarmentInput): Send {
  const pictures = images.map(readImage)
  const firstFile = pictures.findIndex((picture) => 'image' in picture)
  const urls = pictures
    .slice(0, firstFile === -1 ? undefined : firstFile)
    .flatMap((picture) => ('url' in picture ? [picture] : []))
  let bytes = 0
  const others = pictures.findIndex((picture) => !('image' in picture) || (bytes += picture.image.size) > maxCallBytes)
  // Always sends the first file. If it is too large, the service's error says so.
  const files = pictures
    .slice(0, others === -1 ? undefined : Math.max(others, 1))
    .flatMap((picture) => ('image' in picture ? [picture] : []))
  return async (client, signal) => {
    if (files.length > 0) await client.uploadFiles({ uuid, attribute, images: files }, { signal })
    else await client.upload({ uuid, images: urls, attribute }, { signal })
    const countInFirst = Math.max(urls.length, files.length)
    for (const picture of pictures.slice(countInFirst)) await client.addPicture(uuid, picture, { signal })
    return uuid
  }
}

const describeProgress = ({ status, retry }: Garment) =>
  retry === undefined ? status : `${status}; tried ${retry.tries}×: ${retry.failure_reason}`

async function uploadOne(
  client: Client,
  send: Send,
  values: UploadValues,
  shown: Shown,
  signal: AbortSignal,
): Promise<number> {
  const waits = values['no-wait'] !== true
  const results = waits ? openResults(client, values, false) : countResults()
  try {
    const uuid = await send(client, signal)
    tell(`The garment's UUID is ${uuid}`)
    if (!waits) return 0
    const progress = startProgress('Tagging', 1)
    shown.progress = progress
    const garment = await client.wait(uuid, { signal, onPoll: (polled) => progress.remark(describeProgress(polled)) })
    progress.update(1)
    progress.end()
    await results.write(garment)
    if (garment.status !== 'failed') return 0
    tell(`${uuid} could not be tagged: ${garment.failure_reason}`)
    return 1
  } finally {
    await results.end()
  }
}

export const upload: Command = { summary: 'upload garments, wait and write the results', help, run }

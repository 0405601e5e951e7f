/**
 * Prints how right the tagger is, in workerd: `npm run eval -- [--photos DIR] [--split NAME] [--senders 1,2] [--limit N]
 * [--drawings N] [--floors] [--json]`. Splits are `validation`, `senders` (both, unless one is named) and `train`; with `--json` the
 * last line is for programs, with `--floors` figures that are too low fail the run. Without photographs only drawings are evaluated.
 */
import { join } from 'node:path'
import process, { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { evaluateDrawings } from './drawings/evaluate-drawings.ts'
import { formatDrawings } from './drawings/format-drawings.ts'
import { checkFloors } from './photos/check-floors.ts'
import { writeContactSheet } from './photos/contact-sheet.ts'
import { evaluatePhotos, type Row } from './photos/evaluate-photos.ts'
import { formatError, formatPhotos } from './photos/format-photos.ts'
import { readPhotos } from './photos/read-photos.ts'
import { type PhotoFigures, scorePhotos } from './photos/score-photos.ts'
import { evaluateSpeed } from './speed.ts'

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    split: { type: 'string' },
    senders: { type: 'string' },
    limit: { type: 'string' },
    drawings: { type: 'string', default: '256' },
    floors: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const photos = readPhotos(options.photos)
const figures: Record<string, PhotoFigures> = {}
let pooled: PhotoFigures | undefined
if (photos === undefined) {
  stdout.write(
    `No photographs in ${options.photos}: only drawings are evaluated. CONTRIBUTING says where to get them.\n\n`,
  )
} else {
  const senders = options.senders?.split(',')
  const all: Row[] = []
  for (const split of options.split === undefined ? ['validation', 'senders'] : [options.split]) {
    const part = photos
      .filter((photo) => photo.split === split && (senders === undefined || senders.includes(photo.sender)))
      .slice(0, options.limit === undefined ? undefined : Number(options.limit))
    const rows = await evaluatePhotos(options.photos, part, (done) => {
      if (done % 100 === 0) stderr.write(`${split}: ${done} of ${part.length}\n`)
    })
    all.push(...rows)
    const scored = scorePhotos(rows)
    figures[split] = scored
    stdout.write(`${formatPhotos(split, scored)}\n`)
    if (options.floors) {
      for (const problem of checkFloors(scored)) {
        stderr.write(`${problem}\n`)
        process.exitCode = 1
      }
    }
    const sheet = await writeContactSheet(options.photos, rows, join('.wrangler/eval', split))
    stdout.write(`  the worst errors are in ${sheet}\n\n`)
  }
  pooled = scorePhotos(all)
  const error = pooled.attributes['Item Type']?.calibrationError
  if (error !== undefined)
    stdout.write(`all ${pooled.count} together: calibration error of the item type ${formatError(error)}\n\n`)
}

const count = Number(options.drawings)
const drawings = count === 0 ? undefined : await evaluateDrawings(count)
if (drawings !== undefined) stdout.write(`${formatDrawings(drawings)}\n\n`)
const speed = count === 0 ? undefined : await evaluateSpeed()
if (speed !== undefined)
  stdout.write(
    `Speed, 1200 x 1600 JPEG: decoding alone ${speed.decodeMs.toFixed(1)} ms, all of tagging ${speed.tagMs.toFixed(1)} ms, ${speed.tagOverDecode.toFixed(2)} times\n`,
  )
if (options.json) stdout.write(`${JSON.stringify({ photographs: figures, pooled, drawings, speed })}\n`)

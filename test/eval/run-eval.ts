/**
 * Measures the tagger in workerd: `npm run eval -- [--photos DIR] [--split NAME,NAME] [--held-out] [--agreement]
 * [--senders 1,2] [--limit N] [--drawings N] [--cards N] [--ends N] [--points 0] [--floors] [--json]`.
 *
 * The shipped networks never learn from the splits `judges`, which measures them and is the default, and
 * `calibration`, which calibrates them. The reported splits are `senders` and `validation` (at home), `studio` (cut out
 * on white), `catalogue` (worn, from a shop), `accessories` (bags, belts and things that are no garment) and `shops`
 * (other shops). The shipped networks have learned from most of these, so `--held-out` measures networks that
 * have not. `--agreement` also tags every photograph with those networks and prints how many item types are the same.
 * `--json` prints a last line for programs. `--floors` fails if figures are far too low. Without photographs, only
 * drawings are measured.
 * `npm run eval -- --labels [--label-folder DIR | --label-seed N --label-count N --python PATH]` evaluates only the
 * label reader: on the pictures of a folder with `labels.json`, or on labels that it renders.
 */
import { join } from 'node:path'
import process, { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { evaluateCard } from './card/evaluate-card.ts'
import { evaluateEnds } from './card/evaluate-ends.ts'
import { formatCard } from './card/format-card.ts'
import { formatEnds } from './card/format-ends.ts'
import { evaluateDrawings } from './drawings/evaluate-drawings.ts'
import { formatDrawings } from './drawings/format-drawings.ts'
import { checkFloors } from './photos/check-floors.ts'
import { writeContactSheet } from './photos/contact-sheet.ts'
import { evaluatePhotos } from './photos/evaluate-photos.ts'
import { formatPhotos, formatShare } from './photos/format-photos.ts'
import { photoSets, type PhotoSet, readPhotos } from './photos/read-photos.ts'
import { type PhotoFigures, scorePhotos, shareOfSameTypes } from './photos/score-photos.ts'
import { evaluatePoints } from './points/evaluate-points.ts'
import { formatPoints } from './points/format-points.ts'
import { evaluateLabels, evaluateRenderedLabels, formatLabels } from './labels/evaluate-labels.ts'
import { evaluateSpeed } from './speed.ts'
import type { Networks } from './start-worker.ts'

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    split: { type: 'string' },
    senders: { type: 'string' },
    limit: { type: 'string' },
    drawings: { type: 'string', default: '256' },
    cards: { type: 'string', default: '200' },
    ends: { type: 'string', default: '2' },
    points: { type: 'string' },
    floors: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    agreement: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    labels: { type: 'boolean', default: false },
    'label-folder': { type: 'string' },
    'label-count': { type: 'string', default: '300' },
    'label-seed': { type: 'string', default: '62' },
    python: { type: 'string', default: 'python3' },
  },
})

if (options.labels) {
  const folder = options['label-folder']
  const [seed, labelCount] = [Number(options['label-seed']), Number(options['label-count'])]
  const labelFigures =
    folder === undefined ? await evaluateRenderedLabels(seed, labelCount, options.python) : await evaluateLabels(folder)
  stdout.write(`${formatLabels(folder ?? `Rendered labels, seed ${seed}`, labelFigures)}\n`)
  process.exit()
}

const networks = options['held-out'] ? 'held-out' : 'shipped'
const defaultSplits = {
  shipped: ['judges'],
  'held-out': ['validation', 'senders', 'studio', 'catalogue', 'accessories', 'shops'],
}

const photos = (Object.keys(photoSets) as PhotoSet[]).flatMap((set) => readPhotos(options.photos, set) ?? [])
const figures: Record<string, PhotoFigures> = {}
const withoutCard = { count: 0, mistaken: 0 }
if (photos.length === 0)
  stdout.write(
    `No photographs in ${options.photos}: only drawings are evaluated. training/README.md says where to get them.\n\n`,
  )
const senders = options.senders?.split(',')
for (const split of options.split?.split(',') ?? defaultSplits[networks]) {
  const part = photos
    .filter(
      (photo) =>
        (photo.split === split || photo.reserve === split) && (senders === undefined || senders.includes(photo.sender)),
    )
    .slice(0, options.limit === undefined ? undefined : Number(options.limit))
  if (part.length === 0) continue
  const tagAll = async (by: Networks) =>
    await evaluatePhotos(part, by, (done) => {
      if (done % 100 === 0) stderr.write(`${split}: ${done} of ${part.length}\n`)
    })
  const rows = await tagAll(networks)
  const scored = scorePhotos(rows)
  withoutCard.count += rows.length
  withoutCard.mistaken += rows.filter(({ answer }) => answer !== undefined && answer.card.length > 0).length
  figures[split] = scored
  stdout.write(`${formatPhotos(split, scored)}\n`)
  const agreement = options.agreement ? shareOfSameTypes(rows, await tagAll('held-out')) : undefined
  if (agreement !== undefined) stdout.write(`  same item type as by the held-out networks ${formatShare(agreement)}\n`)
  if (options.floors) {
    for (const problem of checkFloors(split, scored, agreement)) {
      stderr.write(`${problem}\n`)
      process.exitCode = 1
    }
  }
  const sheet = await writeContactSheet(rows, join('.wrangler/eval', split))
  stdout.write(`  the worst errors are in ${sheet}\n\n`)
}

const points = options.points === '0' || photos.length === 0 ? undefined : await evaluatePoints(options.photos)
if (points !== undefined) stdout.write(`${formatPoints(points)}\n\n`)

const scenes = Number(options.cards)
const cards = scenes === 0 ? undefined : await evaluateCard(photos, scenes)
if (cards !== undefined) stdout.write(`${formatCard(cards, withoutCard.mistaken, withoutCard.count)}\n\n`)

const rounds = Number(options.ends)
const ends = rounds === 0 ? undefined : await evaluateEnds(photos, rounds)
if (ends !== undefined) stdout.write(`${formatEnds(ends)}\n\n`)

const count = Number(options.drawings)
const drawings = count === 0 ? undefined : await evaluateDrawings(count)
if (drawings !== undefined) stdout.write(`${formatDrawings(drawings)}\n\n`)
const speed = count === 0 ? undefined : await evaluateSpeed()
if (speed !== undefined)
  stdout.write(
    `Speed, 1200 x 1600 JPEG: decoding alone ${speed.decodeMs.toFixed(1)} ms, all of tagging ${speed.tagMs.toFixed(1)} ms, ${speed.tagOverDecode.toFixed(2)} times; looking for the card ${speed.cardMs.toFixed(1)} ms; a cut-out with 2,000 pixels ${speed.cutoutOverTag.toFixed(2)} times as long as tagging\n`,
  )
if (options.json) stdout.write(`${JSON.stringify({ photographs: figures, points, drawings, speed })}\n`)

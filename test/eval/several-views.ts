/**
 * `node test/eval/several-views.ts [--photos DIR] [--split validation,studio] [--count 250]`: what a second picture of
 * a garment changes. Two views are made of each photograph (another crop, light and turn), and the attributes of one
 * are compared with those of both, as if somebody had said that both show the front. The split `held` was held out to
 * choose how pictures are combined; report others.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type PictureEvidence, rankPictures, rankTypes } from '../../src/vision/combine-pictures.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import type { Picture } from '../../src/vision/picture.ts'
import { createRandom, type Random } from '../../training/flat-lay/random.ts'
import { type Photo, type PhotoSet, photoSets, readParts, readPhotos } from './photos/read-photos.ts'
import { agreesByAttribute, isScored, scoreAttribute } from './photos/score-photos.ts'
import type { Share } from './statistics.ts'
import { startWorker } from './start-worker.ts'

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    split: { type: 'string', default: 'validation,studio' },
    count: { type: 'string', default: '250' },
  },
})

/** Three quarters to all of the picture, turned by up to 10 degrees, with 0.7 to 1.3 of the light. */
function viewOf({ width, height, data }: Picture, random: Random): Picture {
  const scale = random.between(0.75, 1)
  const angle = (random.between(-10, 10) * Math.PI) / 180
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)]
  const middleOf = (length: number) => (length / 2) * (1 + (1 - scale) * random.between(-1, 1))
  const [left, top] = [middleOf(width), middleOf(height)]
  const light = [0, 0, 0].fill(random.between(0.7, 1.3)).map((level) => level * random.between(0.95, 1.05))
  const out = new Uint8ClampedArray(data.length)
  const inside = (place: number, length: number) => Math.min(length - 1, Math.max(0, place))
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const u = inside(left + (x - width / 2) * cos - (y - height / 2) * sin, width)
      const v = inside(top + (x - width / 2) * sin + (y - height / 2) * cos, height)
      const [column, row] = [Math.floor(u), Math.floor(v)]
      const [right, down] = [column + 1 < width ? 4 : 0, row + 1 < height ? width * 4 : 0]
      const from = (row * width + column) * 4
      for (let channel = 0; channel < 3; channel++) {
        const pixel = (offset: number) => data[from + channel + offset]!
        const above = pixel(0) + (pixel(right) - pixel(0)) * (u - column)
        const below = pixel(down) + (pixel(down + right) - pixel(down)) * (u - column)
        out[at + channel] = light[channel]! * (above + (below - above) * (v - row))
      }
      out[at + 3] = 255
    }
  return { width, height, data: out }
}

const parts = options.split.includes('held') ? readParts() : undefined
const photos = (Object.keys(photoSets) as PhotoSet[]).flatMap((set) =>
  (readPhotos(options.photos, set) ?? []).map((photo) =>
    parts?.get(`${set},${photo.id}`)?.part === 'held' ? { ...photo, split: 'held' } : photo,
  ),
)
const worker = await startWorker('worker.ts')

async function decode({ folder, id }: Photo): Promise<Picture> {
  const body = await readFile(join(folder, 'images', `${id}.jpg`))
  const response = await worker.fetch('/pixels', { method: 'POST', body })
  const [width, data] = [Number(response.headers.get('width')), new Uint8ClampedArray(await response.arrayBuffer())]
  return { width, height: data.length / 4 / width, data }
}

/** Undefined for a view that is refused. */
async function read(view: Picture): Promise<PictureEvidence | undefined> {
  const response = await worker.fetch('/heads', { method: 'POST', body: encodeJpeg(view, 90) })
  const answer = (await response.json()) as Omit<PictureEvidence, 'kind'> | { fault: string }
  return 'fault' in answer ? undefined : { ...answer, kind: 'front' }
}

function answer([first, ...others]: readonly PictureEvidence[]) {
  if (first === undefined) return undefined
  const pictures = [first, ...others] as const
  const itemType = rankTypes(pictures)[0]!.value
  return { ranked: rankPictures(pictures, { itemType, attribute: {} }) }
}

const format = ({ value, count }: Share) => `${Math.round(value * count)} of ${count}`.padStart(11)

for (const split of options.split.split(',')) {
  const all = photos.filter((photo) => photo.split === split && isScored(photo.type))
  const count = Math.min(all.length, Number(options.count))
  const rows: { photo: Photo; views: PictureEvidence[] }[] = []
  while (rows.length < count) {
    const photo = all[Math.floor((rows.length * all.length) / count)]!
    const picture = await decode(photo)
    const random = createRandom(rows.length)
    const views = [await read(viewOf(picture, random)), await read(viewOf(picture, random))]
    rows.push({ photo, views: views.filter((view) => view !== undefined) })
  }
  stdout.write(`${split}, ${rows.length} photographs: right with one view, with both; High with one, with both\n`)
  for (const name of Object.keys(agreesByAttribute)) {
    const figures = [1, 2].map((count) =>
      scoreAttribute(
        rows.map(({ photo, views }) => ({ photo, answer: answer(views.slice(0, count)) })),
        name,
      ),
    )
    const shares = [...figures.map(({ right }) => right), ...figures.map(({ highRight }) => highRight)]
    stdout.write(`  ${name.padEnd(12)}${shares.map(format).join('  ')}\n`)
  }
}
await worker.close()

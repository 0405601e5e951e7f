/**
 * Writes features of the exported first network for the label head and the orientation head: `node
 * training/photographs/write-features.ts FILE [--photos DIR] [--count N] [--drawings DIR] [--labels DIR]
 * [--photographed-labels DIR]`. FILE gets float32 features of four turns of each picture, and FILE's name with the
 * extension `.keys` a line `set,id,group,upright` for each. `upright` is 0 if the picture has no upright position.
 * Leaves out judges. A stopped run continues when it is started again with the same options.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Photo, type PhotoSet, photoSets, readPhotos } from '../../test/eval/photos/read-photos.ts'
import { noGarments } from '../../test/eval/photos/mappings.ts'
import { startWorker } from '../../test/eval/start-worker.ts'
import { isItemType, itemOf } from '../../src/vision/taxonomy/item-types.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    count: { type: 'string', default: '4500' },
    drawings: { type: 'string' },
    labels: { type: 'string' },
    'photographed-labels': { type: 'string' },
  },
})
const [file = 'features.bin'] = positionals
const keysFile = file.replace(/\.\w+$/, '') + '.keys'

/** Two contrasts and the mean of 1,280 channels, of four turns, as float32. */
const bytesPerPicture = 3 * 1280 * 4 * 4

/** False for details, folded garments, and types that lie in any position. */
const hasUpright = ({ type, shown }: Photo) =>
  !['Cut', 'Folded'].includes(shown) &&
  !noGarments.includes(type) &&
  (!isItemType(type) || itemOf(type).category === 'Clothing')

function listFolder(folder: string | undefined, set: string, upright: number) {
  const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.jpg'))
  return names.map((name) => ({ path: join(folder!, name), key: `${set},${name},${name},${upright}` }))
}

const photos = (Object.keys(photoSets) as PhotoSet[]).flatMap((set) =>
  (readPhotos(options.photos, set) ?? [])
    .filter(({ reserve }) => reserve !== 'judges')
    .map((photo) => ({
      path: join(photo.folder, 'images', `${photo.id}.jpg`),
      key: `${set},${photo.id},${photo.sender},${Number(hasUpright(photo))}`,
    })),
)
const step = Math.max(1, photos.length / Number(options.count))
const chosen = [
  ...listFolder(options['photographed-labels'], 'photographed-label', 0),
  ...listFolder(options.labels, 'label', 0),
  ...photos.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)),
  ...listFolder(options.drawings, 'drawn', 1),
]

const done = existsSync(keysFile) ? readFileSync(keysFile, 'utf8').split('\n').length - 1 : 0
if (done > 0) truncateSync(file, done * bytesPerPicture)
const worker = await startWorker('worker.ts')
for (const { path, key } of chosen.slice(done)) {
  const response = await worker.fetch('/turns', { method: 'POST', body: readFileSync(path) })
  appendFileSync(file, new Uint8Array(await response.arrayBuffer()))
  appendFileSync(keysFile, `${key}\n`)
}
await worker.close()

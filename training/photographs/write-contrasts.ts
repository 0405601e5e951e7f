/**
 * Writes the features of the orientation head: `node training/photographs/write-contrasts.ts FILE [--photos DIR]
 * [--count N] [--drawings DIR]`. FILE gets float32 features of four turns of each photograph, and FILE's name with the
 * extension `.keys` a line `set,id,group` for each. Leaves out judges, details, folded garments, and types that lie in
 * any position.
 */
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type PhotoSet, photoSets, readPhotos } from '../../test/eval/photos/read-photos.ts'
import { noGarments } from '../../test/eval/photos/mappings.ts'
import { startWorker } from '../../test/eval/start-worker.ts'
import { isItemType, itemOf } from '../../src/vision/taxonomy/item-types.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    count: { type: 'string', default: '4000' },
    drawings: { type: 'string' },
  },
})
const [file = 'contrasts.bin'] = positionals

const hasPosition = (type: string) =>
  !noGarments.includes(type) && (!isItemType(type) || itemOf(type).category === 'Clothing')

const photos = (Object.keys(photoSets) as PhotoSet[]).flatMap((set) =>
  (readPhotos(options.photos, set) ?? [])
    .filter(
      ({ type, shown, reserve }) => hasPosition(type) && !['Cut', 'Folded'].includes(shown) && reserve !== 'judges',
    )
    .map(({ id, folder, sender }) => ({ path: join(folder, 'images', `${id}.jpg`), key: `${set},${id},${sender}` })),
)
const step = Math.max(1, photos.length / Number(options.count))
const chosen = photos.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
const { drawings } = options
const drawn = (drawings === undefined ? [] : readdirSync(drawings))
  .filter((name) => name.endsWith('.jpg'))
  .map((name) => ({ path: join(drawings ?? '', name), key: `drawn,${name},${name}` }))

const worker = await startWorker('worker.ts')
const features = openSync(file, 'w')
const keys = openSync(file.replace(/\.\w+$/, '') + '.keys', 'w')
for (const { path, key } of [...chosen, ...drawn]) {
  const response = await worker.fetch('/contrasts', { method: 'POST', body: readFileSync(path) })
  const views = (await response.json()) as number[][]
  writeSync(features, new Uint8Array(Float32Array.from(views.flat()).buffer))
  writeSync(keys, `${key}\n`)
}
closeSync(features)
closeSync(keys)
await worker.close()

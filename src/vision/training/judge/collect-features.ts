/**
 * Draws flat lays and writes what the tagger reads from each as a line of JSON:
 * node --import ./src/vision/training/judge/load-binaries.ts .../collect-features.ts <first seed> <count> <file>
 * Seeds below 500,000 are for building; the evaluation draws from 2,000,000 up.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { makeFlatLay } from '../flat-lay/make-flat-lay.ts'
import { createRandom } from '../flat-lay/random.ts'
import { ITEM_TYPES } from '../flat-lay/garments/sample-garment.ts'
import { decodePicture } from '../../image/decode-picture.ts'
import { encodeJpeg } from '../../image/jpeg/encode-jpeg.ts'
import { analysePicture } from '../../analyse-picture.ts'
import { featureVector } from '../../network/judge/feature-vector.ts'

const [first = '0', count = '100', file = 'features.jsonl'] = argv.slice(2)

/** What the front model tells apart: the closure of what has a front, else `none`. */
function frontOf(closure: string, buttonsAreFew: boolean): string {
  if (closure === 'Zip') return 'zip'
  if (closure !== 'Button') return 'none'
  return buttonsAreFew ? 'placket' : 'buttons'
}

writeFileSync(file, '')
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const random = createRandom(seed + 5)
  const itemType = ITEM_TYPES[seed % ITEM_TYPES.length]!
  const height = random.pick([640, 800, 1000, 1200])
  const lay = makeFlatLay(seed, { itemType, width: height * 0.75, height })
  const { picture } = await decodePicture(encodeJpeg(lay.picture, random.between(78, 94)), 1280)
  const seen = analysePicture(picture)
  if (seen === undefined) continue
  const front =
    itemType === 'Skirt' || itemType === 'Bag' ? 'none' : frontOf(lay.truth.closure, itemType === 'Polo Shirt')
  const line = {
    seed,
    itemType,
    pattern: lay.truth.pattern,
    front,
    x: featureVector(seen.features).map((value) => Number(value.toFixed(4))),
  }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

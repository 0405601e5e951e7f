/**
 * Draws flat lays for training: `node training/flat-lay/write-drawings.ts FOLDER [COUNT]` writes a JPEG and
 * its exact mask (PGM, 255 on the garment) for each, and `labels.csv` in the words of the photographs' labels. The
 * evaluation draws from other seeds.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { encodeJpeg } from '../../src/vision/image/jpeg/encode-jpeg.ts'
import { itemTypes } from './garments/sample-garment.ts'
import { makeFlatLay } from './make-flat-lay.ts'
import { createRandom } from './random.ts'

const firstSeed = 100_000
const [WIDTH, HEIGHT] = [384, 512]
const labelledClosures: Readonly<Record<string, string>> = {
  Pullover: 'None',
  Button: 'Buttons',
  Zip: 'Zip',
  'Button & Zip': 'Fly',
}

const [folder = 'drawings', count = '840'] = argv.slice(2)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'labels.csv'), 'id,type,pattern,closure,sleeve\n')
for (let seed = firstSeed; seed < firstSeed + Number(count); seed++) {
  const itemType = itemTypes[seed % itemTypes.length]
  if (itemType === undefined) continue
  const { picture, truth } = makeFlatLay(seed, { itemType, width: WIDTH, height: HEIGHT })
  writeFileSync(join(folder, `${seed}.jpg`), encodeJpeg(picture, createRandom(seed + 5).between(78, 94)))
  const header = Buffer.from(`P5\n${WIDTH} ${HEIGHT}\n255\n`)
  writeFileSync(join(folder, `${seed}.pgm`), Buffer.concat([header, truth.mask.map((value) => value * 255)]))
  const closure = itemType === 'Polo Shirt' ? 'Placket' : (labelledClosures[truth.closure] ?? '')
  appendFileSync(
    join(folder, 'labels.csv'),
    `${[seed, itemType, truth.pattern, closure, sleeveOf(truth.measurements)].join(',')}\n`,
  )
}

/** Empty for what has no sleeves to have. */
function sleeveOf(measurements: Readonly<Record<string, number>>): string {
  if (measurements['Chest'] === undefined) return ''
  const length = measurements['Sleeve Length']
  if (length === undefined) return 'None'
  return length < 35 ? 'Short' : 'Long'
}

/**
 * Draws flat lays for training: `node training/flat-lay/write-drawings.ts FOLDER [COUNT]`. Writes a JPEG and its exact
 * mask (PGM, 255 on the garment) for each, and `labels.csv` with the same labels as photographs. The evaluation uses
 * other seeds.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { itemTypes } from './garments/sample-garment.ts'
import { makeFlatLay } from './make-flat-lay.ts'
import { createRandom } from './random.ts'

const firstSeed = 100_000
const size = { width: 384, height: 512 }
const labelledClosures: Readonly<Record<string, string>> = {
  Pullover: 'None',
  Button: 'Buttons',
  Zip: 'Zip',
  'Button & Zip': 'Fly',
}

const [folder = 'drawings', count = '840'] = argv.slice(2)
mkdirSync(folder, { recursive: true })
const rows = ['id,type,pattern,closure,sleeve']
for (let seed = firstSeed; seed < firstSeed + Number(count); seed++) {
  const itemType = itemTypes[seed % itemTypes.length]
  if (itemType === undefined) continue
  const { picture, truth } = makeFlatLay(seed, { itemType, ...size })
  writeFileSync(join(folder, `${seed}.jpg`), encodeJpeg(picture, createRandom(seed + 5).between(78, 94)))
  const header = Buffer.from(`P5\n${size.width} ${size.height}\n255\n`)
  writeFileSync(join(folder, `${seed}.pgm`), Buffer.concat([header, truth.mask.map((value) => value * 255)]))
  const closure = itemType === 'Polo Shirt' ? 'Placket' : (labelledClosures[truth.closure] ?? '')
  rows.push([seed, itemType, truth.pattern, closure, sleeveOf(truth.measurements)].join(','))
}
writeFileSync(join(folder, 'labels.csv'), `${rows.join('\n')}\n`)

/** Returns the sleeve label, or an empty string for garments without sleeves. */
function sleeveOf(measurements: Readonly<Record<string, number>>): string {
  if (measurements['Chest'] === undefined) return ''
  const length = measurements['Sleeve Length']
  if (length === undefined) return 'None'
  return length < 35 ? 'Short' : 'Long'
}

/**
 * Draws pictures that show no garment and writes what the tagger reads from each, as `collect-features.ts` does:
 * node --import .../load-binaries.ts .../collect-oddities.ts <first seed> <count> <file>
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { makeOddity } from '../flat-lay/make-oddity.ts'
import { decodePicture } from '../../image/decode-picture.ts'
import { encodeJpeg } from '../../image/jpeg/encode-jpeg.ts'
import { see } from '../../see.ts'
import { featureVector } from '../../network/judge/feature-vector.ts'

const [first = '0', count = '100', file = 'oddities.jsonl'] = argv.slice(2)

writeFileSync(file, '')
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const { picture } = await decodePicture(encodeJpeg(makeOddity(seed), 86), 1280)
  const seen = see(picture)
  if (seen === undefined) continue
  const line = { seed, itemType: 'Nothing', x: featureVector(seen.features).map((value) => Number(value.toFixed(4))) }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

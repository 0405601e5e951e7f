/**
 * Draws pictures that show no garment and writes what the tagger reads from each, as `collect-features.ts` does:
 * node --import .../load-binaries.ts .../collect-other-objects.ts <first seed> <count> <file>
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { makeOtherObject } from '../flat-lay/make-other-object.ts'
import { decodePicture } from '../../image/decode-picture.ts'
import { encodeJpeg } from '../../image/jpeg/encode-jpeg.ts'
import { analysePicture } from '../../analyse-picture.ts'
import { featureVector } from '../../network/judge/feature-vector.ts'

const [first = '0', count = '100', file = 'other-objects.jsonl'] = argv.slice(2)

writeFileSync(file, '')
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const { picture } = await decodePicture(encodeJpeg(makeOtherObject(seed), 86), 1280)
  const seen = analysePicture(picture)
  if (seen === undefined) continue
  const line = { seed, itemType: 'Nothing', x: featureVector(seen.features).map((value) => Number(value.toFixed(4))) }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

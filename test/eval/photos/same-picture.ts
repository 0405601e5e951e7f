/**
 * `node --js-base-64 --import ./test/fuzz/load-wasm.ts test/eval/photos/same-picture.ts`: how many copies of
 * photographs are found by their hashes, and how many pairs of different photographs are confused, set by set.
 * `--photos DIR` is where they are, `--copies 400` of how many of each set copies are made.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../../support/prepare-node.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { shrink } from '../../../src/vision/image/shrink.ts'
import { hashPicture, levelBits, levelCount, maxBits, maxLevels } from '../../../src/vision/picture-hash.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { photoSets } from './read-photos.ts'

const { values } = parseArgs({
  options: { photos: { type: 'string', default: '../shared/photos' }, copies: { type: 'string', default: '400' } },
})

const decode = async (jpeg: Uint8Array) => (await decodePicture(jpeg, 1280)).picture
const recompress = async (picture: Picture, quality: number) => await decode(encodeJpeg(picture, quality))

/** Without this share of its width and height: half of it on each side, or all of it at the upper left corner. */
function crop({ width, height, data }: Picture, share: number, isCorner: boolean): Picture {
  const [across, down] = [Math.round(width * share), Math.round(height * share)]
  const [left, top] = isCorner ? [across, down] : [Math.floor(across / 2), Math.floor(down / 2)]
  const rows = Array.from({ length: height - down }, (_, y) =>
    data.subarray(((y + top) * width + left) * 4, ((y + top) * width + left + width - across) * 4),
  )
  return { width: width - across, height: height - down, data: Uint8ClampedArray.from(rows.flatMap((row) => [...row])) }
}

const copies: Readonly<Record<string, (picture: Picture) => Promise<Picture>>> = {
  'at 60 %': async (picture) => await recompress(shrink(picture, Math.max(picture.width, picture.height) * 0.6), 80),
  'at quality 40': async (picture) => await recompress(picture, 40),
  'without 1 % on each side': async (picture) => await recompress(crop(picture, 0.02, false), 85),
  'without 2 % at a corner': async (picture) => await recompress(crop(picture, 0.02, true), 85),
}

const levelMask = 2n ** BigInt(levelBits) - 1n

function readHash(picture: Picture) {
  const { bits, colours } = hashPicture(picture)
  const levelAt = (place: number) => Number((BigInt(colours) >> BigInt(place * levelBits)) & levelMask)
  // Two halves, because numbers are faster than BigInt.
  const halves = [Number(BigInt(bits) >> 32n), Number(BigInt(bits) & 0xffff_ffffn)] as const
  return { halves, levels: Array.from({ length: levelCount }, (_, place) => levelAt(place)) }
}

type Hash = ReturnType<typeof readHash>

function countBits(number: number): number {
  let [count, left] = [0, number >>> 0]
  for (; left !== 0; left &= left - 1) count++
  return count
}

const haveSameBits = (a: Hash, b: Hash) =>
  countBits(a.halves[0] ^ b.halves[0]) + countBits(a.halves[1] ^ b.halves[1]) <= maxBits
const isSame = (a: Hash, b: Hash) =>
  haveSameBits(a, b) && a.levels.every((level, place) => Math.abs(level - (b.levels[place] ?? 0)) <= maxLevels)

for (const [set, folder] of Object.entries(photoSets)) {
  const images = join(values.photos, folder, 'images')
  const files = readdirSync(images).filter((name) => name.endsWith('.jpg'))
  const every = Math.max(1, Math.floor(files.length / Number(values.copies)))
  const hashes: Hash[] = []
  const found = Object.fromEntries(Object.keys(copies).map((name) => [name, 0]))
  let copied = 0
  for (const [index, file] of files.entries()) {
    const picture = await decode(new Uint8Array(readFileSync(join(images, file))))
    const hash = readHash(picture)
    hashes.push(hash)
    if (index % every !== 0) continue
    copied++
    for (const [name, copy] of Object.entries(copies))
      found[name] = (found[name] ?? 0) + (isSame(hash, readHash(await copy(picture))) ? 1 : 0)
  }
  let [alike, confused] = [0, 0]
  for (const [index, first] of hashes.entries()) {
    for (const second of hashes.slice(index + 1)) {
      if (!haveSameBits(first, second)) continue
      alike++
      if (isSame(first, second)) confused++
    }
  }
  const shares = Object.entries(found).map(([name, count]) => `${name} ${((100 * count) / copied).toFixed(1)} %`)
  const pairs = (hashes.length * (hashes.length - 1)) / 2
  process.stdout.write(`${set}: of ${copied} copies are found ${shares.join(', ')}\n`)
  process.stdout.write(`${set}: of ${pairs} pairs ${alike} have alike bits, and ${confused} alike colours too\n`)
}

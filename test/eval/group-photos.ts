/**
 * `node --import ./test/fuzz/load-wasm.ts test/eval/group-photos.ts [--photos DIR] [--batches 10]`: how well the upload
 * page groups photographs into garments. Each batch has 60 garments with one to eight pictures. The first pictures of a
 * garment are those that the sets contain of it. Further ones are other crops, angles and light of the same
 * photographs, and close-ups.
 */
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
// @ts-expect-error: page scripts have no types.
import * as borders from '../../src/dashboard/public/assets/scripts/upload/decide-borders.js'
// @ts-expect-error: page scripts have no types.
import * as likeness from '../../src/dashboard/public/assets/scripts/upload/likeness.js'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import type { Picture } from '../../src/vision/picture.ts'
import { createRandom, type Random } from '../../training/flat-lay/random.ts'

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../shared/photos') },
    batches: { type: 'string', default: '10' },
  },
})

/** Pictures of garments, by garment. */
interface Garment {
  readonly name: string
  readonly paths: readonly string[]
}

function readTable(path: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header.trim().split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cell.trim()])))
}

const garmentsOf = (set: string, nameOf: (row: Record<string, string>) => string): Garment[] =>
  [...Map.groupBy(readTable(join(options.photos, set, 'labels.csv')), nameOf)].map(([name, rows]) => ({
    name,
    paths: rows.map((row) => join(options.photos, set, 'images', `${row['id']}.jpg`)),
  }))

/** Shops number a product's folder, and pictures of a showcase show one garment. */
const several = [
  ...garmentsOf('worn', (row) => row['showcase'] ?? ''),
  ...garmentsOf('shops', (row) => /products\/\d+/i.exec(row['path'] ?? '')?.[0] ?? row['path'] ?? ''),
].filter(({ paths }) => paths.length > 1 && paths.length <= 8)

const senders = garmentsOf('.', (row) => row['sender'] ?? '').filter(({ paths }) => paths.length >= 20)

interface Sample {
  readonly garment: number
  readonly colours: unknown
}

const edge = likeness.edge as number

const read = async (path: string): Promise<Picture> => (await decodePicture(await readFile(path), Infinity)).picture

/** A small view of a photograph: all of it, another crop and light of all of it, or a close-up. */
function viewOf(
  { width, height, data }: Picture,
  random: Random,
  kind: 'as is' | 'whole' | 'close',
): Uint8ClampedArray {
  const share = kind === 'as is' ? 1 : kind === 'whole' ? random.between(0.75, 1) : random.between(0.25, 0.5)
  const offset = () => (1 - share) * (kind === 'close' ? random.between(0.25, 0.75) : random.next())
  const [left, top, isMirrored] = [offset(), offset(), kind === 'whole' && random.chance(0.3)]
  const light = kind === 'as is' ? 1 : random.between(0.85, 1.15)
  const tint = [0, 0, 0].map(() => (kind === 'as is' ? 1 : light * random.between(0.97, 1.03)))
  const out = new Uint8ClampedArray(edge * edge * 4).fill(255)
  const steps = 4
  for (let y = 0; y < edge; y++)
    for (let x = 0; x < edge; x++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let i = 0; i < steps * steps; i++) {
          const u = (x + ((i % steps) + 0.5) / steps) / edge
          const v = (y + (Math.floor(i / steps) + 0.5) / steps) / edge
          const column = Math.floor((left + (isMirrored ? 1 - u : u) * share) * (width - 1))
          sum += data[(Math.floor((top + v * share) * (height - 1)) * width + column) * 4 + channel] ?? 0
        }
        out[(y * edge + x) * 4 + channel] = (sum / steps ** 2) * (tint[channel] ?? 1)
      }
  return out
}

async function makeBatch(seed: number): Promise<Sample[]> {
  const random = createRandom(seed)
  const shuffled = <T>(all: readonly T[]) =>
    all
      .map((each) => [random.next(), each] as const)
      .toSorted((a, b) => a[0] - b[0])
      .map(([, each]) => each)
  const sender = random.pick(senders)
  const home = shuffled(sender.paths)
    .slice(0, 30)
    .map((path): Garment => ({ name: path, paths: [path] }))
  const garments = shuffled([...shuffled(several).slice(0, 60 - home.length), ...home])
  const samples: Sample[] = []
  for (const [garment, { paths }] of garments.entries()) {
    const count = 1 + Math.floor(random.next() * 8)
    for (let i = 0; i < count; i++) {
      const path = paths[i] ?? random.pick(paths)
      const kind = i < paths.length ? 'as is' : random.chance(0.4) ? 'close' : 'whole'
      samples.push({ garment, colours: likeness.countColours(viewOf(await read(path), random, kind)) })
    }
  }
  return samples
}

/** Pauses of a person who takes the photographs: a few seconds for another view, a minute for the next garment. */
function withTimes(samples: readonly Sample[], random: Random, missingShare: number): Taken[] {
  const skewed = (medianMs: number) => medianMs * Math.exp((random.next() + random.next() + random.next() - 1.5) * 0.9)
  let at = 1_795_000_000_000
  return samples.map(({ garment, colours }, i) => {
    at += skewed(garment === samples[i - 1]?.garment ? 7000 : 55_000)
    const takenAt = random.chance(missingShare) ? null : Math.round(at / 1000) * 1000
    return { garment, colours, takenAt, savedAt: null }
  })
}

interface Taken extends Sample {
  readonly takenAt: number | null
  readonly savedAt: null
  readonly code?: string
}

/** Puts a photographed label before each garment. */
const withCodes = (pictures: readonly Taken[]): Taken[] =>
  pictures.flatMap((picture, i) =>
    picture.garment === pictures[i - 1]?.garment
      ? [picture]
      : [{ ...picture, colours: null, code: `G-${picture.garment + 1}` }, picture],
  )

interface Group {
  readonly pictures: readonly Taken[]
  readonly isDoubtful: boolean
  readonly doubtful: readonly Taken[]
}

/** Pairs of pictures that are in one group and show one garment, as F1. Codes are no pictures of garments. */
function scorePairs(groups: readonly Group[]): number {
  const pairsOf = (sets: readonly (readonly Taken[])[]) =>
    sets.reduce((sum, { length: count }) => sum + (count * (count - 1)) / 2, 0)
  const pictures = groups.map((group) => group.pictures.filter(({ code }) => code === undefined))
  const byGarment = (some: readonly Taken[]) => [...Map.groupBy(some, ({ garment }) => garment).values()]
  return (2 * pairsOf(pictures.flatMap(byGarment))) / (pairsOf(pictures) + pairsOf(byGarment(pictures.flat())))
}

function scoreBatch(pictures: readonly Taken[]) {
  const groups = (borders.groupByBorders as (pictures: readonly Taken[]) => Group[])(pictures)
  const questions = groups.reduce((sum, { isDoubtful, doubtful }) => sum + (isDoubtful ? 1 : 0) + doubtful.length, 0)
  const wrongJoins = groups.flatMap((group) =>
    group.pictures.filter(
      (picture, i) => i > 0 && picture.garment !== group.pictures[i - 1]?.garment && !group.doubtful.includes(picture),
    ),
  )
  return { f1: scorePairs(groups), questions: questions / (pictures.length - 1), wrongJoins: wrongJoins.length }
}

const seeds = Array.from({ length: Number(options.batches) }, (_, i) => i + 1)
const batches = await Promise.all(seeds.map(makeBatch))
const scenarios = [
  { name: 'all times', missing: 0, codes: false },
  { name: 'a third missing', missing: 1 / 3, codes: false },
  { name: 'no times', missing: 1, codes: false },
  { name: 'codes, no times', missing: 1, codes: true },
]
const pictures = batches.reduce((sum, { length }) => sum + length, 0)
stdout.write(`${batches.length} batches of 60 garments, ${pictures} pictures\n`)
for (const { name, missing, codes } of scenarios) {
  const scores = batches.map((samples, seed) => {
    const taken = withTimes(samples, createRandom(seed), missing)
    return scoreBatch(codes ? withCodes(taken) : taken)
  })
  const mean = (of: (score: (typeof scores)[number]) => number) =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length
  const worst = Math.min(...scores.map(({ f1 }) => f1))
  stdout.write(
    `${name.padEnd(16)} pair F1 ${mean(({ f1 }) => f1).toFixed(3)} (worst ${worst.toFixed(3)}), ` +
      `questions ${(100 * mean(({ questions }) => questions)).toFixed(1)} %, ` +
      `wrong joins without a question: ${scores.reduce((sum, { wrongJoins }) => sum + wrongJoins, 0)}\n`,
  )
}

/**
 * Refits the class `None` of the first network's presence head to photographs of other things: `node
 * training/photographs/refit-presence.ts DIR [--photos DIR] [--write]`. It is a logistic regression on the pooled
 * features, and nothing else of the network changes. DIR has a folder for each kind of thing. Prints how many pictures
 * of each kind are refused by the present weights, by weights that learned only from the other kinds, and by weights
 * that learned from all kinds. `--write` stores the last of these.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import description from '../../src/vision/network/network.json' with { type: 'json' }
import weightsFile from '../../src/vision/network/weights.json' with { type: 'json' }
import { noGarments } from '../../test/eval/photos/mappings.ts'
import { type PhotoSet, photoSets, readParts, readPhotos } from '../../test/eval/photos/read-photos.ts'
import { startWorker } from '../../test/eval/start-worker.ts'

const root = join(import.meta.dirname, '../..')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: join(root, '../shared/photos') },
    write: { type: 'boolean', default: false },
  },
})
const [directory = '.'] = positionals

/** Maximum number of photographs of each part of each set. */
const counts: Readonly<Record<string, number>> = { train: 200, held: 100, reported: 150 }

/** Ridge penalty on the change of the weights, chosen on held-out photographs. */
const ridge = 300
const steps = 500

interface Source {
  readonly path: string
  /** Kind of thing, or set and part of a garment photograph. */
  readonly group: string
  readonly isGarment: boolean
  readonly isLearned: boolean
}

interface Sample extends Source {
  readonly features: Float64Array
  /** Margin above the refusal limit by the present weights. */
  readonly margin: number
}

function listSources(): Source[] {
  const parts = readParts()
  const photos = (Object.keys(photoSets) as PhotoSet[]).flatMap((set) =>
    (readPhotos(options.photos, set) ?? []).map(({ id, folder, type }) => {
      const part = parts.get(`${set},${id}`)?.part ?? ''
      const isGarment = !noGarments.includes(type)
      const group = `${set}, ${part}${isGarment ? '' : ', no garment'}`
      return { path: join(folder, 'images', `${id}.jpg`), group, part, isGarment, isLearned: part === 'train' }
    }),
  )
  const some = [...Map.groupBy(photos, ({ group }) => group).values()].flatMap((group) => {
    const count = Math.min(group.length, counts[group[0]!.part] ?? counts['reported']!)
    return Array.from({ length: count }, (_, at) => group[Math.floor(((at + 0.5) * group.length) / count)]!)
  })
  const others = readdirSync(directory).flatMap((kind) =>
    readdirSync(join(directory, kind)).map((file) => {
      return { path: join(directory, kind, file), group: kind, isGarment: false, isLearned: true }
    }),
  )
  return [...some, ...others]
}

async function readSamples(): Promise<Sample[]> {
  const worker = await startWorker('worker.ts')
  const samples: Sample[] = []
  for (const source of listSources()) {
    const response = await worker.fetch('/features', { method: 'POST', body: readFileSync(source.path) })
    const { features, margin } = (await response.json()) as { features: number[]; margin: number }
    samples.push({ ...source, features: Float64Array.from(features), margin })
  }
  await worker.close()
  return samples
}

interface Change {
  readonly weights: Float64Array
  readonly bias: number
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}

const marginOf = ({ margin, features }: Sample, { weights, bias }: Change) => margin + bias + dot(features, weights)

/** Fits the change of the margin: ridge-penalised logistic regression by Nesterov's accelerated gradient. */
function fit(samples: readonly Sample[]): Change {
  const size = samples[0]!.features.length
  const mean = new Float64Array(size)
  for (const { features } of samples) features.forEach((feature, at) => (mean[at]! += feature / samples.length))
  const rows = samples.map(({ features }) => Float64Array.from([...features.map((value, at) => value - mean[at]!), 1]))
  // A safe step length: the largest eigenvalue of the Hessian is at most a quarter of the sum of squares.
  const curvature = rows.reduce((sum, row) => sum + dot(row, row), 0) / 4
  let [weights, before] = [new Float64Array(size + 1), new Float64Array(size + 1)]
  for (let step = 0; step < steps; step++) {
    const ahead = weights.map((weight, at) => weight + (step / (step + 3)) * (weight - before[at]!))
    const gradient = ahead.map((weight, at) => (at === size ? 0 : 2 * ridge * weight))
    for (const [index, row] of rows.entries()) {
      const { margin, isGarment } = samples[index]!
      const error = 1 / (1 + Math.exp(-margin - dot(row, ahead))) - (isGarment ? 1 : 0)
      for (let at = 0; at <= size; at++) gradient[at]! += error * row[at]!
    }
    before = weights
    weights = ahead.map((weight, at) => weight - gradient[at]! / (curvature + 2 * ridge))
  }
  const change = weights.slice(0, size)
  return { weights: change, bias: weights[size]! - dot(mean, change) }
}

const samples = await readSamples()
const learned = samples.filter(({ isLearned }) => isLearned)
const none: Change = { weights: new Float64Array(samples[0]!.features.length), bias: 0 }
const all = fit(learned)
const refused = (part: readonly Sample[], change: Change) => part.filter((each) => marginOf(each, change) < 0).length
for (const [group, part] of Map.groupBy(samples, (sample) => sample.group)) {
  const withoutIt = part[0]!.isLearned ? fit(learned.filter((sample) => sample.group !== group)) : all
  const counts = [none, withoutIt, all].map((change) => String(refused(part, change)).padStart(4))
  stdout.write(`${group.padEnd(34)}of ${String(part.length).padStart(3)} refused${counts.join(', ')}\n`)
}
if (options.write) write(all)

/** Writes the changed class `None` to the weights file. Its sign is opposite to that of the margin. */
function write({ weights, bias }: Change): void {
  const layer = description.layers.find(({ name }) => name === 'presence')!
  const folder = join(root, 'src/dashboard/public/networks')
  const [old = ''] = weightsFile.parts
  const file = readFileSync(join(folder, `${old}.bin`))
  const [row, at] = [new Int8Array(file.buffer, file.byteOffset + layer.weights!, weights.length), layer.scales!]
  const reals = weights.map((weight, index) => row[index]! * file.readFloatLE(at) - weight)
  const scale = Math.max(...reals.map(Math.abs)) / 127
  row.set(reals.map((real) => Math.round(real / scale)))
  file.writeFloatLE(scale, at)
  file.writeFloatLE(file.readFloatLE(layer.biases!) - bias, layer.biases!)
  const hash = createHash('sha256').update(file).digest('hex')
  writeFileSync(join(folder, `${hash}.bin`), file)
  rmSync(join(folder, `${old}.bin`))
  const path = join(root, 'src/vision/network/weights.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(old, hash))
}

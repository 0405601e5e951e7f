/**
 * Trains the three judges from collected features and writes their weights:
 * node .../train-judge.ts <weights.json> <features.jsonl> [more .jsonl]
 * Adam on cross entropy; features are jittered and the network's probabilities blanked at times, so that no single cue
 * carries an answer. An eighth of the seeds is left out and fits the temperature.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { createRandom } from '../flat-lay/random.ts'
import { ITEM_TYPES } from '../flat-lay/garments/sample-garment.ts'
import { NETWORK_LENGTH } from '../../network/judge/feature-vector.ts'
import { type JudgeModel, score, shareOut, standardise } from '../../network/judge/model.ts'

interface Example {
  readonly seed: number
  readonly x: readonly number[]
  readonly itemType: string
  /** Absent of what is no garment. */
  readonly pattern?: string
  readonly front?: string
}

const HIDDEN = 40
const EPOCHS = 70
const BATCH = 24
const RATE = 0.004
const JITTER = 0.22
const BLANK = 0.35
const DECAY = 2e-4

const [target = 'weights.json', ...sources] = argv.slice(2)
const examples = sources
  .flatMap((source) => readFileSync(source, 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Example)

const models = {
  itemType: train('itemType'),
  pattern: train('pattern'),
  front: train('front'),
}
writeFileSync(target, `${JSON.stringify(models)}\n`)

function train(key: 'itemType' | 'pattern' | 'front'): JudgeModel {
  const random = createRandom(key.length)
  const usable = examples.filter((example) => example[key] !== undefined)
  const training = usable.filter(({ seed }) => !isHeld(seed))
  const held = usable.filter(({ seed }) => isHeld(seed))
  const labelOf = (example: Example) => example[key] ?? ''
  const labels = [...new Set(usable.map(labelOf))].sort()
  const { mean, deviation } = spread(training.map(({ x }) => x))
  const rows = training.map(({ x }) => standardise({ mean, deviation }, x))
  const answers = training.map((example) => labels.indexOf(labelOf(example)))
  const inputs = mean.length
  const matrix = (height: number, width: number) =>
    Array.from({ length: height }, () =>
      Array.from({ length: width + 1 }, (_, index) => (index === width ? 0 : random.normal(0, 1) / Math.sqrt(width))),
    )
  const hidden = matrix(HIDDEN, inputs)
  const output = matrix(labels.length, HIDDEN)
  const adamHidden = adam(hidden)
  const adamOutput = adam(output)
  const order = rows.map((_, index) => index)
  let step = 0
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random.next() * (index + 1))
      const swapped = order[index]!
      order[index] = order[other]!
      order[other] = swapped
    }
    const rate = RATE * 0.5 * (1 + Math.cos((Math.PI * epoch) / EPOCHS)) + 1e-5
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH)
      for (const example of batch) {
        const blank = random.chance(BLANK)
        const x = rows[example]!.map((value, index) =>
          blank && index < NETWORK_LENGTH
            ? 0
            : value + JITTER * (random.next() + random.next() + random.next() - 1.5) * 2,
        )
        const active = hidden.map((weights) =>
          Math.tanh(weights.reduce((sum, weight, index) => sum + weight * (index === inputs ? 1 : x[index]!), 0)),
        )
        const shares = shareOut(
          output.map((weights) =>
            weights.reduce((sum, weight, index) => sum + weight * (index === HIDDEN ? 1 : active[index]!), 0),
          ),
          1,
        )
        const back = new Float64Array(HIDDEN)
        shares.forEach((share, label) => {
          const error = (share - (label === answers[example] ? 1 : 0)) / batch.length
          for (let index = 0; index < HIDDEN; index++) {
            back[index] = back[index]! + error * output[label]![index]!
            adamOutput.gradient[label]![index] = adamOutput.gradient[label]![index]! + error * active[index]!
          }
          adamOutput.gradient[label]![HIDDEN] = adamOutput.gradient[label]![HIDDEN]! + error
        })
        for (let unit = 0; unit < HIDDEN; unit++) {
          const slope = back[unit]! * (1 - active[unit]! ** 2)
          const gradient = adamHidden.gradient[unit]!
          for (let index = 0; index < inputs; index++) gradient[index] = gradient[index]! + slope * x[index]!
          gradient[inputs] = gradient[inputs]! + slope
        }
      }
      step++
      adamHidden.apply(rate, step)
      adamOutput.apply(rate, step)
    }
  }
  const model = { labels, mean, deviation, hidden, output }
  const scores = held.map(({ x }) => score(model, standardise(model, x)))
  const truth = held.map((example) => labels.indexOf(labelOf(example)))
  const temperature = fitTemperature(scores, truth)
  const right = scores.filter((values, index) => values.indexOf(Math.max(...values)) === truth[index]).length
  stdout.write(
    `${key}: ${right} of ${held.length} held-out pictures right (${((100 * right) / held.length).toFixed(1)} %), temperature ${temperature.toFixed(2)}\n`,
  )
  stdout.write(confusion(scores, truth, labels))
  return { ...rounded({ labels, mean, deviation, hidden, output }), temperature }
}

/** Item types go round with the seed, so the eighth is taken of whole rounds. */
function isHeld(seed: number): boolean {
  return Math.floor(seed / ITEM_TYPES.length) % 8 === 7
}

function spread(rows: readonly (readonly number[])[]) {
  const mean = rows[0]!.map((_, index) => rows.reduce((sum, row) => sum + row[index]!, 0) / rows.length)
  const deviation = mean.map(
    (centre, index) => Math.sqrt(rows.reduce((sum, row) => sum + (row[index]! - centre) ** 2, 0) / rows.length) + 0.01,
  )
  return { mean, deviation }
}

/** Adam (Kingma and Ba 2015) with decoupled weight decay, over one matrix. */
function adam(weights: number[][]) {
  const zeros = () => weights.map((row) => row.map(() => 0))
  const gradient = zeros()
  const first = zeros()
  const second = zeros()
  const apply = (rate: number, step: number) => {
    weights.forEach((row, i) =>
      row.forEach((value, j) => {
        const slope = gradient[i]![j]!
        first[i]![j] = 0.9 * first[i]![j]! + 0.1 * slope
        second[i]![j] = 0.999 * second[i]![j]! + 0.001 * slope * slope
        const move = first[i]![j]! / (1 - 0.9 ** step) / (Math.sqrt(second[i]![j]! / (1 - 0.999 ** step)) + 1e-8)
        row[j] = value - rate * (move + DECAY * value * 50)
        gradient[i]![j] = 0
      }),
    )
  }
  return { gradient, apply }
}

/** The temperature of the least cross entropy, by trying a fine row of them (Guo et al. 2017). */
function fitTemperature(scores: readonly number[][], truth: readonly number[]): number {
  let best = { temperature: 1, loss: Infinity }
  for (let temperature = 0.5; temperature <= 4; temperature += 0.02) {
    const loss = scores.reduce(
      (sum, values, index) => sum - Math.log(shareOut(values, temperature)[truth[index]!]! + 1e-12),
      0,
    )
    if (loss < best.loss) best = { temperature, loss }
  }
  return Number(best.temperature.toFixed(2))
}

function confusion(scores: readonly number[][], truth: readonly number[], labels: readonly string[]): string {
  const wrong = new Map<string, number>()
  scores.forEach((values, index) => {
    const answer = values.indexOf(Math.max(...values))
    const key = `${labels[truth[index]!]} taken for ${labels[answer]}`
    if (answer !== truth[index]) wrong.set(key, (wrong.get(key) ?? 0) + 1)
  })
  return [...wrong].map(([key, count]) => `  ${key}: ${count}\n`).join('')
}

function rounded(model: Omit<JudgeModel, 'temperature'>): Omit<JudgeModel, 'temperature'> {
  const round = (value: number) => Number(value.toPrecision(4))
  return {
    labels: model.labels,
    mean: model.mean.map(round),
    deviation: model.deviation.map(round),
    hidden: model.hidden.map((row) => row.map(round)),
    output: model.output.map((row) => row.map(round)),
  }
}

/**
 * Fits the temperatures of the shipped networks to the photographs that are reserved for calibration: `node
 * training/photographs/fit-temperatures.ts HEADS [--photos DIR] [--write]`. The service's own code tags the
 * photographs. HEADS is a JSON Lines file that keeps the answers, so a stopped run continues. Prints figures for each
 * candidate. `--write` stores the temperatures in `src/vision/network/calibration.json`.
 *
 * The temperature of a head has the lowest log loss of its best value being right, and is then raised until enough of
 * the High values are right: of all together, and of those at home, cut out, and worn. The colour has no candidates,
 * because it also depends on the pixels.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { agreesByAttribute, isScored } from '../../test/eval/photos/score-photos.ts'
import { type Photo, type PhotoSet, photoSets, readPhotos } from '../../test/eval/photos/read-photos.ts'
import { startWorker } from '../../test/eval/start-worker.ts'
import { attributes, isRanked } from '../../src/vision/attributes/attribute-catalogue.ts'
import { type PictureEvidence, rankPictures, rankTypes } from '../../src/vision/combine-pictures.ts'
import { type ClassProbabilities, highFrom } from '../../src/vision/rank.ts'
import calibration from '../../src/vision/network/calibration.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: join(root, '../shared/photos') },
    write: { type: 'boolean', default: false },
  },
})
const [file = 'heads.jsonl'] = positionals

const candidates = Array.from({ length: 19 }, (_, step) => (12 + step) / 20)

/** Share of the High values that must be right. */
const minHighRight = 0.95

/** Domains with fewer High values are judged together with the others only. */
const minDomainHigh = 20

interface Row {
  readonly photo: Photo
  readonly answer: PictureEvidence
}

const keyOf = ({ folder, id }: Photo) => join(folder, id)

async function readRows(): Promise<Row[]> {
  const photos = (Object.keys(photoSets) as PhotoSet[])
    .flatMap((set) => readPhotos(options.photos, set) ?? [])
    .filter(({ reserve, type }) => reserve === 'calibration' && isScored(type))
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const known = new Map(lines.map((line) => JSON.parse(line) as [string, PictureEvidence | { fault: string }]))
  const worker = await startWorker('worker.ts')
  for (const photo of photos.filter((candidate) => !known.has(keyOf(candidate)))) {
    const body = readFileSync(join(photo.folder, 'images', `${photo.id}.jpg`))
    const response = await worker.fetch('/heads', { method: 'POST', body })
    const answer = (await response.json()) as PictureEvidence | { fault: string }
    known.set(keyOf(photo), answer)
    appendFileSync(file, `${JSON.stringify([keyOf(photo), answer])}\n`)
  }
  await worker.close()
  return photos.flatMap((photo) => {
    const answer = known.get(keyOf(photo))
    return answer === undefined || 'fault' in answer ? [] : [{ photo, answer: { ...answer, kind: 'front' } }]
  })
}

/** Returns the probabilities at another temperature, which is `factor` times that of `classes`. */
function heat(classes: ClassProbabilities, factor: number): ClassProbabilities {
  const weights = classes.map(([name, probability]) => [name, probability ** (1 / factor)] as const)
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  return weights.map(([name, weight]) => [name, weight / total])
}

const domainOf = ({ shown, folder }: Photo) => (shown === 'Worn' || shown === 'Back' ? 'worn' : folder)

/** Returns the probability of each best value, and whether it is right. */
function answersOf(rows: readonly Row[], name: string, factors: Readonly<Record<string, number>>) {
  return rows.flatMap(({ photo, answer }) => {
    const heads = Object.entries(answer.heads).map(
      ([head, classes]) => [head, heat(classes, factors[head] ?? 1)] as const,
    )
    const picture: PictureEvidence = { ...answer, heads: { ...answer.heads, ...Object.fromEntries(heads) } }
    const [best] = rankTypes([picture])
    const value = rankPictures([picture], { itemType: best!.value, attribute: {} })[name]?.[0]
    const right = agreesByAttribute[name]?.({ photo }, value?.value ?? '')
    return value === undefined || right === undefined
      ? []
      : [{ probability: value.probability, right, domain: domainOf(photo) }]
  })
}

function figuresOf(answers: ReturnType<typeof answersOf>) {
  const losses = answers.map(
    ({ probability, right }) => -Math.log(Math.max(0.001, right ? probability : 1 - probability)),
  )
  const high = answers.filter(({ probability }) => probability >= highFrom)
  const highRight = high.filter(({ right }) => right).length
  const domains = [...Map.groupBy(high, ({ domain }) => domain).values()].filter(
    ({ length }) => length >= minDomainHigh,
  )
  return {
    loss: losses.reduce((sum, loss) => sum + loss, 0) / losses.length,
    high: high.length,
    highRight,
    // One more right and one more wrong value: with few photographs this demands more.
    isReliable:
      (highRight + 1) / (high.length + 2) >= minHighRight &&
      domains.every((domain) => domain.filter(({ right }) => right).length / domain.length >= minHighRight),
  }
}

const rows = await readRows()
const before: Readonly<Record<string, number>> = calibration.temperatures
const factors: Record<string, number> = {}
stdout.write(`${rows.length} photographs\n`)
// The item type comes first, because it decides which values of other attributes compete.
for (const { name, head = '' } of attributes.filter(isRanked)) {
  if (head === 'colour') continue
  const figures = candidates.map((temperature) => {
    const factor = temperature / before[head]!
    return { temperature, factor, ...figuresOf(answersOf(rows, name, { ...factors, [head]: factor })) }
  })
  const lowest = figures.reduce((best, candidate) => (candidate.loss < best.loss ? candidate : best))
  const chosen =
    figures.find(({ temperature, isReliable }) => temperature >= lowest.temperature && isReliable) ?? figures.at(-1)!
  factors[head] = chosen.factor
  stdout.write(
    `${name}: ${before[head]} before, lowest log loss at ${lowest.temperature}, chosen ${chosen.temperature}\n`,
  )
  for (const { temperature, loss, high, highRight } of figures)
    stdout.write(`  ${temperature.toFixed(2)}  log loss ${loss.toFixed(4)}, ${highRight} of ${high} High right\n`)
}
if (options.write) {
  const temperatures = Object.entries(before).map(([head, temperature]) => [
    head,
    Math.round(temperature * (factors[head] ?? 1) * 1000) / 1000,
  ])
  const path = join(root, 'src/vision/network/calibration.json')
  writeFileSync(
    path,
    `${JSON.stringify({ ...calibration, temperatures: Object.fromEntries(temperatures) }, null, 2)}\n`,
  )
}

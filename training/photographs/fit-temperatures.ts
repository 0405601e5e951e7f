/**
 * Fits the temperatures of the shipped networks: `node training/photographs/fit-temperatures.ts SHIPPED HELD-OUT
 * [--photos DIR] [--write]`. The service's own code tags the photographs: with the shipped networks those reserved for
 * calibration, and with the held-out networks all other reported photographs except judges. SHIPPED and HELD-OUT are
 * JSON Lines files that keep the answers, so a stopped run continues. Delete SHIPPED when the networks change. Prints
 * figures for each candidate. `--write` stores the temperatures in `src/vision/network/calibration.json`.
 *
 * The temperature of a head has the lowest log loss of the shipped networks' best value being right. The temperature
 * is then raised until enough of the High values are right, in the shipped networks' answers and in all answers. The
 * colour has no candidates, because it also depends on the pixels.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { agreesByAttribute, isScored } from '../../test/eval/photos/score-photos.ts'
import { type Photo, type PhotoSet, photoSets, readPhotos } from '../../test/eval/photos/read-photos.ts'
import { type Networks, startWorker } from '../../test/eval/start-worker.ts'
import { attributes, isRanked } from '../../src/vision/attributes/attribute-catalogue.ts'
import { type PictureEvidence, rankPictures, rankTypes } from '../../src/vision/combine-pictures.ts'
import { type ClassProbabilities, highFrom } from '../../src/vision/rank.ts'
import calibration from '../../src/vision/network/calibration.json' with { type: 'json' }
import heldOutCalibration from '../../test/eval/held-out/calibration.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: join(root, '../shared/photos') },
    write: { type: 'boolean', default: false },
  },
})
const [shippedFile = 'shipped.jsonl', heldOutFile = 'held-out.jsonl'] = positionals

const candidates = Array.from({ length: 29 }, (_, step) => (12 + step) / 20)

/** Share of the High values that must be right. */
const minHighRight = 0.95

/** Domains with fewer High values are judged together with the others only. */
const minDomainHigh = 20

type Temperatures = Readonly<Record<string, number>>

interface Row {
  readonly photo: Photo
  readonly answer: PictureEvidence
  /** Temperatures of the answer. */
  readonly temperatures: Temperatures
}

const keyOf = ({ folder, id }: Photo) => join(folder, id)

/** Without the worn set, because the held-out networks have learned from all of it. */
const reported = (Object.keys(photoSets) as PhotoSet[])
  .flatMap((set) => readPhotos(options.photos, set) ?? [])
  .filter(({ split, type }) => split !== 'train' && split !== 'worn' && isScored(type))

async function readRows(networks: Networks, file: string, photos: readonly Photo[]): Promise<Row[]> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  type Line = readonly [key: string, answer: PictureEvidence | { fault: string }, temperatures: Temperatures]
  const known = new Map(lines.map((line) => JSON.parse(line) as Line).map((line) => [line[0], line]))
  const { temperatures } = networks === 'shipped' ? calibration : heldOutCalibration
  const worker = await startWorker('worker.ts', { networks })
  for (const photo of photos.filter((candidate) => !known.has(keyOf(candidate)))) {
    const body = readFileSync(join(photo.folder, 'images', `${photo.id}.jpg`))
    const response = await worker.fetch('/heads', { method: 'POST', body })
    const line: Line = [keyOf(photo), (await response.json()) as Line[1], temperatures]
    known.set(line[0], line)
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  await worker.close()
  return photos.flatMap((photo) => {
    const [, answer, answerTemperatures] = known.get(keyOf(photo))!
    return 'fault' in answer ? [] : [{ photo, answer: { ...answer, kind: 'front' }, temperatures: answerTemperatures }]
  })
}

/** Returns the probabilities at another temperature, which is `factor` times that of `classes`. */
function heat(classes: ClassProbabilities, factor: number): ClassProbabilities {
  const weights = classes.map(([name, probability]) => [name, probability ** (1 / factor)] as const)
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  return weights.map(([name, weight]) => [name, weight / total])
}

/** Returns the set's folder, or `worn` for worn garments and all of a shop's catalogue. */
const domainOf = ({ shown, folder }: Photo) =>
  shown === 'Worn' || shown === 'Back' || folder.endsWith('catalogue') ? 'worn' : folder

/** Returns the probability of each best value at the given temperatures, and whether it is right. */
function answersOf(rows: readonly Row[], name: string, chosen: Temperatures) {
  return rows.flatMap(({ photo, answer, temperatures }) => {
    const heads = Object.entries(chosen).map(
      ([head, temperature]) => [head, heat(answer.heads[head]!, temperature / temperatures[head]!)] as const,
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

type Answers = ReturnType<typeof answersOf>

function logLoss(answers: Answers): number {
  const losses = answers.map(
    ({ probability, right }) => -Math.log(Math.max(0.001, right ? probability : 1 - probability)),
  )
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length
}

const highOf = (answers: Answers) => answers.filter(({ probability }) => probability >= highFrom)

const rightOf = (answers: Answers) => answers.filter(({ right }) => right).length

/** True if enough of the High values are right: of all together, and in each domain with enough of them. */
function isReliable(answers: Answers): boolean {
  const high = highOf(answers)
  const domains = [...Map.groupBy(high, ({ domain }) => domain).values()].filter(
    ({ length }) => length >= minDomainHigh,
  )
  return [high, ...domains].every((part) => rightOf(part) >= minHighRight * part.length)
}

const formatHigh = (answers: Answers) => `${rightOf(highOf(answers))} of ${highOf(answers).length} High right`

const shipped = await readRows('shipped', shippedFile, reported.filter(({ reserve }) => reserve === 'calibration')) // prettier-ignore
const heldOut = await readRows('held-out', heldOutFile, reported.filter(({ reserve }) => reserve === '')) // prettier-ignore
stdout.write(`${shipped.length} photographs for calibration, ${heldOut.length} others\n`)
const fitted: Record<string, number> = {}
// The item type comes first, because it decides which values of other attributes compete.
for (const { name, head = '' } of attributes.filter(isRanked)) {
  if (head === 'colour') continue
  const figures = candidates.map((temperature) => {
    const at = { ...fitted, [head]: temperature }
    const [own, others] = [answersOf(shipped, name, at), answersOf(heldOut, name, at)]
    return { temperature, own, others, loss: logLoss(own), isReliable: isReliable(own) && isReliable([...own, ...others]) } // prettier-ignore
  })
  const lowest = figures.reduce((best, candidate) => (candidate.loss < best.loss ? candidate : best))
  const chosen =
    figures.find((candidate) => candidate.temperature >= lowest.temperature && candidate.isReliable) ?? figures.at(-1)!
  fitted[head] = chosen.temperature
  stdout.write(`${name}: lowest log loss at ${lowest.temperature}, chosen ${chosen.temperature}\n`)
  for (const { temperature, loss, own, others } of figures)
    stdout.write(
      `  ${temperature.toFixed(2)}  log loss ${loss.toFixed(4)}, ${formatHigh(own)}, others ${formatHigh(others)}\n`,
    )
}
if (options.write) {
  const path = join(root, 'src/vision/network/calibration.json')
  const temperatures = { ...calibration.temperatures, ...fitted }
  writeFileSync(path, `${JSON.stringify({ ...calibration, temperatures }, null, 2)}\n`)
}

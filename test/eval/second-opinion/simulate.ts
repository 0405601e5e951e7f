/**
 * `node test/eval/second-opinion/simulate.ts [--photos DIR] [--split senders]`: what a second opinion about the item
 * type would change, with stand-ins that are right so often. The network's own probabilities are those of the
 * photographs. The weights are fitted on every other photograph and measured on the rest, and the other way round.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import type { Evidence } from '../../../src/vision/attributes/catalogue.ts'
import { rankClasses } from '../../../src/vision/attributes/build-tag.ts'
import { createCombine, weightTable, type WeightTable } from '../../../src/vision/opinion.ts'
import { writeQuestions } from '../../../src/vision/write-questions.ts'
import { confidenceOf } from '../../../src/vision/rank.ts'
import { itemTypes } from '../../../src/vision/taxonomy/item-types.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { fitWeights } from '../../../training/second-opinion/fit-weights.ts'
import { toLabelled } from '../../../training/second-opinion/read-labels.ts'
import { type PhotoSet, photoSets, readPhotos } from '../photos/read-photos.ts'
import { isScored } from '../photos/score-photos.ts'
import { startWorker } from '../start-worker.ts'
import { type StandIn, standInAnswer } from './stand-in-answer.ts'

const { values: options } = parseArgs({
  options: {
    photos: { type: 'string', default: join(import.meta.dirname, '../../../../shared/photos') },
    split: { type: 'string', default: 'senders' },
  },
})

type Heads = Pick<Evidence, 'heads' | 'colour'> & { readonly trust: number }

interface Case extends Heads {
  readonly truth: string
}

async function readCases(): Promise<{ cases: Case[]; refused: number }> {
  const photos = (Object.keys(photoSets) as PhotoSet[])
    .flatMap((set) => readPhotos(options.photos, set) ?? [])
    .filter(({ split, type }) => split === options.split && isScored(type))
  const worker = await startWorker('worker.ts')
  const cases: Case[] = []
  for (const { id, folder, type } of photos) {
    const body = await readFile(join(folder, 'images', `${id}.jpg`))
    const answer = (await (await worker.fetch('/heads', { method: 'POST', body })).json()) as Heads | { fault: string }
    if (!('fault' in answer)) cases.push({ ...answer, truth: type })
  }
  await worker.close()
  return { cases, refused: photos.length - cases.length }
}

const { cases, refused } = await readCases()

/** The network's types for each photograph, and a stand-in's answer where it is asked. */
function askAbout(standIn: StandIn, seed: number) {
  const { next } = createRandom(seed)
  return cases.map(({ heads, colour, trust, truth }) => {
    const types = rankClasses(heads.type, itemTypes)
    const [question] = writeQuestions({ heads, colour }, trust, 'doubtful')
    const likely = types.map(({ value }) => value)
    const answer = question && standInAnswer(standIn, question, truth, likely, next)
    return { types, trust, truth, answer }
  })
}

type Asked = ReturnType<typeof askAbout>[number]

interface Tally {
  right: number
  high: number
  highRight: number
  asked: number
}

function score(all: readonly Asked[], table: WeightTable, into: Tally): void {
  for (const { types, trust, truth, answer } of all) {
    const opinion = answer && { model: 'stand-in', answers: { 'Item Type': answer } }
    const best = createCombine(opinion, table)('Item Type', types)[0]
    const isRight = best?.value === truth
    const isHigh = confidenceOf((best?.probability ?? 0) * trust) === 'High'
    into.right += Number(isRight)
    into.high += Number(isHigh)
    into.highRight += Number(isHigh && isRight)
    into.asked += Number(answer !== undefined)
  }
}

const rounds = 5
const none: WeightTable = { version: '', standard: { network: 1, opinion: 0 }, attributes: {} }
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1).padStart(5)} %`

function report(title: string, tableOf: (fitOn: readonly Asked[]) => WeightTable, standIn: StandIn): void {
  const tally: Tally = { right: 0, high: 0, highRight: 0, asked: 0 }
  for (let round = 0; round < rounds; round++) {
    const all = askAbout(standIn, round + 1)
    const half = (parity: number) => all.filter((_, index) => index % 2 === parity)
    for (const parity of [0, 1]) score(half(parity), tableOf(half(1 - parity)), tally)
  }
  const total = rounds * (cases.length + refused)
  stdout.write(
    `  ${title.padEnd(12)} asked ${percent(tally.asked, total)}  type ${percent(tally.right, total)}  ` +
      `High ${percent(tally.high, total)}, right ${percent(tally.highRight, tally.high)}\n`,
  )
}

/** As from an export: of each garment the four likeliest values are known, and the likeliest of each. */
function fitted(fitOn: readonly Asked[]): WeightTable {
  const labels = fitOn.flatMap(({ types, truth, answer }) => {
    if (answer === undefined) return []
    const combined = createCombine({ model: '', answers: { 'Item Type': answer } })('Item Type', types)
    const second = Object.entries(answer).sort(([, a], [, b]) => b - a)[0]?.[0] ?? ''
    const kept = new Set<string>([...combined.slice(0, 4).map(({ value }) => value), types[0]?.value ?? '', second])
    const network = Object.fromEntries(
      types.filter(({ value }) => kept.has(value)).map((each) => [each.value, each.probability]),
    )
    const opinion = Object.fromEntries([...kept].map((value) => [value, answer[value] ?? 0]))
    return [toLabelled({ network, opinion }, truth)]
  })
  return { ...weightTable, attributes: { 'Item Type': fitWeights(labels, weightTable.standard) } }
}

stdout.write(`${cases.length + refused} photographs of ${options.split}, ${rounds} rounds\n`)
report('network', () => none, { right: 0, claimed: 0.9, errors: 'random' })
for (const right of [0.9, 0.7, 0.3])
  for (const claimed of [0.6, 0.9, 0.99])
    for (const errors of ['random', 'as the network'] as const) {
      stdout.write(`right in ${right * 100} %, claims ${claimed * 100} %, errors ${errors}\n`)
      report('not fitted', () => weightTable, { right, claimed, errors })
      report('fitted', fitted, { right, claimed, errors })
    }

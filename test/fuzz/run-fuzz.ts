/**
 * `npm run fuzz -- [--seconds 60] [--seed 1] [--target jpeg] [--first 0] [--inputs N]`: feeds mutated inputs to all
 * parsers of untrusted bytes, one target after another. The seed and an input's number determine the input, so a
 * finding can be repeated with the printed options. Fails on undocumented errors, on growing memory, and on too much
 * work between two turns of the event loop.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createRandom } from '../../training/flat-lay/random.ts'
import type { Target } from './target.ts'
import { csvTarget, formulaTarget } from './targets/csv.ts'
import { exifTarget, jpegTarget, pngTarget, profileTarget, webpTarget } from './targets/pictures.ts'
import { addressTarget, retryAfterTarget } from './targets/addresses.ts'
import { cursorTarget, multipartTarget, tokenTarget } from './targets/requests.ts'

const allTargets: readonly Target[] = [
  jpegTarget,
  pngTarget,
  webpTarget,
  exifTarget,
  profileTarget,
  csvTarget,
  formulaTarget,
  multipartTarget,
  cursorTarget,
  tokenTarget,
  addressTarget,
  retryAfterTarget,
]

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string', multiple: true },
    first: { type: 'string', default: '0' },
    inputs: { type: 'string', default: 'Infinity' },
  },
})
const seed = Number(values.seed)
const targets = allTargets.filter(({ name }) => values.target?.includes(name) ?? true)

const inputsInRound = 50
const maxFindings = 20

/** Memory in use after garbage collection. Codecs keep the memory of the largest picture, at most 64 MiB. */
const maxGrowthMb = 96
const folder = '.wrangler/fuzz'

const usedMb = () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}

let findings = 0

async function runInput(target: Target, number: number): Promise<void> {
  const input = target.make(createRandom(Math.imul(seed, 0x9e3779b1) + number))
  try {
    await target.run(input)
  } catch (error) {
    findings++
    mkdirSync(folder, { recursive: true })
    const file = `${folder}/${target.name}-${seed}-${number}`
    writeFileSync(file, input)
    console.error(`${target.name}: ${error instanceof Error ? error.stack : String(error)}`)
    console.error(`  ${file}; again: --target ${target.name} --seed ${seed} --first ${number} --inputs 1`)
  }
}

let endsAt = Date.now() + Number(values.seconds) * 1000
// Prints the progress if the run is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (endsAt = 0))
const counts = new Map(targets.map(({ name }) => [name, 0]))
const isDone = ({ name }: Target) => (counts.get(name) ?? 0) >= Number(values.inputs)
let baseMb: number | undefined

while (Date.now() < endsAt && findings < maxFindings && !targets.every(isDone)) {
  for (const target of targets) {
    const from = counts.get(target.name) ?? 0
    const count = Math.min(inputsInRound, Number(values.inputs) - from)
    for (let number = from; number < from + count; number++) await runInput(target, Number(values.first) + number)
    counts.set(target.name, from + count)
  }
  await new Promise((resolve) => setTimeout(resolve, 0))
  const mb = usedMb()
  baseMb ??= mb
  if (mb - baseMb > maxGrowthMb) {
    console.error(`Memory grew from ${baseMb.toFixed(0)} to ${mb.toFixed(0)} MB.`)
    findings++
    break
  }
}

for (const { name, leastInputs } of targets)
  console.log(`${name.padEnd(12)}${String(counts.get(name)).padStart(9)} inputs, ${leastInputs} or more in a long run`)
console.log(
  `Seed ${seed}: ${findings} findings; memory ${usedMb().toFixed(0)} MB, ${baseMb?.toFixed(0)} MB after the first round.`,
)
process.exitCode = findings === 0 ? 0 : 1

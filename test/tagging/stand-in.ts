import { openDatabase } from '../../src/platform/db/database.ts'
import { createSecondOpinion, type ModelBinding, monthQuery } from '../../src/tagging/second-opinion.ts'
import { settingsOf, type Settings } from '../../src/settings.ts'
import type { OpinionRequest } from '../../src/vision/opinion.ts'
import { bindings } from '../service.ts'

export interface ModelInput {
  readonly model: string
  readonly state: string
  readonly images: readonly string[]
  readonly questions: Readonly<
    Record<string, { type: string; instructions: string; criteria: Record<string, string | null> }>
  >
}

const db = openDatabase(bindings.DB)

/** The probabilities of one sure answer, rounded as the service rounds. */
export function sureOf(options: readonly string[], choice: string, probability = 0.9): Record<string, number> {
  const rest = Math.round(((1 - probability) / (options.length - 1)) * 10_000) / 10_000
  return Object.fromEntries(options.map((option) => [option, option === choice ? probability : rest]))
}

/** An answer of the documented shape. `choices` has a value by question id; of others the first option is chosen. */
export function answerTo(input: ModelInput, choices: Readonly<Record<string, string>> = {}) {
  const answers = Object.entries(input.questions).map(([id, { criteria }]) => {
    const options = Object.keys(criteria)
    const wanted = choices[id]
    const choice = wanted !== undefined && options.includes(wanted) ? wanted : (options[0] ?? '')
    return [id, { type: 'choice', choice, probabilities: sureOf(options, choice), confidence: 0.88 }] as const
  })
  return { model: input.model, answers: Object.fromEntries(answers), usage: { input_tokens: 1500, output_tokens: 0 } }
}

type Run = (input: ModelInput, options: Parameters<ModelBinding['run']>[2], model: string) => Promise<unknown>

/** Stands in at the binding's own interface, and records what it was asked. */
export function standIn(run: Run) {
  const inputs: ModelInput[] = []
  const binding: ModelBinding = {
    async run(model, input, options) {
      inputs.push(input as ModelInput)
      return await run(input as ModelInput, options, model)
    },
  }
  return { binding, inputs }
}

export const request: OpinionRequest = {
  questions: [
    { attribute: 'Item Type', text: 'What is it?', options: { Jumper: null, Cardigan: 'open' } },
    { attribute: 'Fabric Type', text: 'Of what?', options: { Knit: null, Wool: null } },
  ],
  encodePicture: () => new Uint8Array([0xff, 0xd8, 0xff]),
  heldBytes: 1,
}

/** A month of its own, because all tests of the run count in one table. */
let months = 0
export const newMonth = () => Date.UTC(2100 + Math.floor(months / 12), months++ % 12, 15, 12)

/** Asks with what a test changes of the settings, in a month of the test's own. */
export function newSecondOpinion(binding: ModelBinding, changes: Partial<Settings> = {}, nowMs = newMonth()) {
  // The timeout only ends what hangs, unless the test is about it.
  const defaults = { SECOND_OPINION: 'always', SECOND_OPINION_TIMEOUT_MS: 60_000 } as const
  const settings = { ...settingsOf(bindings), ...defaults, ...changes }
  const secondOpinion = createSecondOpinion({ binding, db, settings, now: () => nowMs })
  const ask = async (hold = () => true) => await secondOpinion(hold).ask(request)
  const counted = async () => (await monthQuery(db, nowMs))[0]
  return { secondOpinion, ask, counted, nowMs }
}

import { eq } from 'drizzle-orm'
import { openDatabase } from '../../src/db/client.ts'
import { tenantState, opinionDays, tenants } from '../../src/db/schema.ts'
import { createBreaker } from '../../src/second-opinion/create-breaker.ts'
import { createSecondOpinion } from '../../src/second-opinion/create-second-opinion.ts'
import type { ModelBinding } from '../../src/second-opinion/model.ts'
import { createSpending } from '../../src/second-opinion/spending.ts'
import { settingsOf, type Settings } from '../../src/settings.ts'
import type { OpinionRequest } from '../../src/vision/opinion.ts'
import { bindings, newMerchant, newTenant } from '../service.ts'
import { dayOf } from '../../src/time.ts'

export interface ModelInput {
  readonly model: string
  readonly state: string
  readonly images: readonly string[]
  readonly questions: Readonly<
    Record<string, { type: string; instructions: string; criteria: Record<string, string | null> }>
  >
}

const db = openDatabase(bindings.DB)

/** What was counted on a day. */
export const rowsOn = async (nowMs: number) =>
  await db
    .select()
    .from(opinionDays)
    .where(eq(opinionDays.day, dayOf(nowMs)))

export const countsOn = async (nowMs: number) =>
  Object.fromEntries((await rowsOn(nowMs)).map(({ outcome, count }) => [outcome, count]))

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

/** Stores a tenant of a scene as one of an account, since only those are asked for. */
export async function giveAccount(tenantId: string, merchantId?: string) {
  const id = merchantId ?? (await newMerchant()).id
  const names = { name: 'Shop', domain: tenantId, description: '', settings: {} }
  await db.insert(tenantState).values({ tenantId, createdAt: 0 })
  await db.insert(tenants).values({ id: tenantId, merchantId: id, ...names, createdAt: 0 })
}

/** In an isolate of its own. Unless a test says for whom, it is asked for a tenant of its own. */
export function newSecondOpinion(binding: ModelBinding, changes: Partial<Settings> = {}, nowMs = newMonth()) {
  const clock = { now: nowMs }
  // The timeout only ends what hangs, unless the test is about it.
  const defaults = { SECOND_OPINION: 'always', SECOND_OPINION_TIMEOUT_MS: 60_000 } as const
  const settings = { ...settingsOf(bindings), ...defaults, ...changes }
  const deps = { binding, db, settings, breaker: createBreaker(), spending: createSpending(), now: () => clock.now }
  const secondOpinion = createSecondOpinion(deps)
  if (secondOpinion === null) throw new Error('It is off')
  let own: Promise<string> | undefined
  const ownTenant = async () => await (own ??= newTenant().then(({ tenantId }) => tenantId))
  const ask = async (hold = () => true, tenantId?: string) =>
    await secondOpinion.consultation(tenantId ?? (await ownTenant()), hold).ask(request)
  /** Before a question whose timeout is to end nothing but the model's answer. */
  const readMonth = async () => await deps.spending.refresh(db, await ownTenant(), clock.now)
  const askFor = async (tenantId: string) => await ask(undefined, tenantId)
  return { ...secondOpinion, secondOpinion, ask, askFor, readMonth, clock, deps }
}

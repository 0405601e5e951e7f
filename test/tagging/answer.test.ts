import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createSecondOpinion, openSecondOpinion } from '../../src/tagging/second-opinion.ts'
import { settingsOf } from '../../src/settings.ts'
import { bindings } from '../service.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { answerTo, newMonth, newSecondOpinion, request, standIn } from './stand-in.ts'

const hanging = async () => await new Promise<never>(() => {})

describe('a second opinion', () => {
  it('is the answer by attribute, asked without what the client supplied, and not queued where the model is busy', async () => {
    let given: unknown
    const { binding, inputs } = standIn(async (input, { signal, ...options }, model) => {
      given = { model, options, isSignal: signal instanceof AbortSignal }
      return answerTo(input, { item_type: 'Cardigan' })
    })
    const { ask, counted } = newSecondOpinion(binding)
    expect(await ask()).toEqual({
      model: '@cf/cloudflare/clef-flash',
      answers: { 'Item Type': { Jumper: 0.1, Cardigan: 0.9 }, 'Fabric Type': { Knit: 0.9, Wool: 0.1 } },
    })
    expect(given).toEqual({ model: '@cf/cloudflare/clef-flash', options: { rejectIfBusy: true }, isSignal: true })
    expect(inputs[0]).toMatchObject({
      model: 'clef-flash',
      images: ['data:image/jpeg;base64,/9j/'],
      questions: {
        item_type: { type: 'choice', instructions: 'What is it?', criteria: { Jumper: null, Cardigan: 'open' } },
        fabric_type: { type: 'choice', instructions: 'Of what?', criteria: { Knit: null, Wool: null } },
      },
    })
    const month = await counted()
    expect(month).toMatchObject({ asked: 1, answered: 1 })
    expect(month?.dollars).toBeCloseTo((1500 * 0.038) / 1e6, 9)
  })

  it.each([
    ['that is refused, costs nothing', new Error('3040: No more data centers to forward the request to'), false],
    ['that may not be asked for, costs nothing', new Error('5018: The account is not allowed to access it'), false],
    ['that is cut off, costs nothing', new Error('Network connection lost.'), false],
    ['that timed out at the model, counts as spent', new Error('3007: Request timeout'), true],
  ])('%s', async (_, error, isSpent) => {
    const { ask, counted } = newSecondOpinion(standIn(() => Promise.reject(error)).binding)
    expect(await ask()).toBe(undefined)
    const month = await counted()
    expect(month).toMatchObject({ asked: 1, answered: 0 })
    expect((month?.dollars ?? 0) > 0).toBe(isSpent)
  })

  it('that is not given is not waited for longer than the timeout, and counts as spent', async () => {
    let aborted = false
    const { binding } = standIn(async (_, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true))
      return await hanging()
    })
    const { ask, counted } = newSecondOpinion(binding, { SECOND_OPINION_TIMEOUT_MS: 1000 })
    expect(await ask()).toBe(undefined)
    expect(aborted).toBe(true)
    const month = await counted()
    expect(month).toMatchObject({ asked: 1, answered: 0 })
    expect(month?.dollars).toBeGreaterThan(0)
  })

  it.each([
    ['nothing', undefined],
    ['text', 'a jumper'],
    ['no answers', { answers: {} }],
    ['an answer without probabilities', { answers: { item_type: { type: 'choice', choice: 'Jumper' } } }],
    ['only some answers', { answers: { item_type: { type: 'choice', probabilities: { Jumper: 1, Cardigan: 0 } } } }],
  ])('of %s is missing', async (_, given) => {
    const { ask, counted } = newSecondOpinion(standIn(async () => given).binding)
    expect(await ask()).toBe(undefined)
    const month = await counted()
    expect(month).toMatchObject({ asked: 1, answered: 0 })
    expect(month?.dollars).toBeGreaterThan(0)
  })

  it('is not asked for where the run finds no memory to wait in', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { ask, counted } = newSecondOpinion(binding)
    expect(await ask(() => false)).toBe(undefined)
    expect([inputs.length, await counted()]).toEqual([0, undefined])
  })

  it('does not exist where it is off or nothing is bound', () => {
    const { binding } = standIn(async () => undefined)
    expect(openSecondOpinion(bindings)).toBe(null)
    expect(openSecondOpinion({ ...bindings, SECOND_OPINION: 'doubtful' } as Env)).toBe(null)
    expect(openSecondOpinion({ ...bindings, AI: binding } as unknown as Env)).toBe(null)
    expect(openSecondOpinion({ ...bindings, AI: binding, SECOND_OPINION: 'doubtful' } as unknown as Env)).not.toBe(null)
  })
})

describe('the budget of a month', () => {
  /** 1,500 tokens for a dollar each. */
  const dear = { SECOND_OPINION_PRICE_DOLLARS: 1e6 / 1500 }

  it('holds over isolates, and starts again with the next month', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const settings = { ...dear, SECOND_OPINION_BUDGET_DOLLARS: 4.5 }
    const first = newSecondOpinion(binding, settings)
    const second = newSecondOpinion(binding, settings, first.nowMs)
    for (let i = 0; i < 5; i++) for (const { ask } of [first, second]) await ask()
    // The estimate of a question is above what it costs.
    expect(inputs.length).toBe(4)
    expect((await second.counted())?.dollars).toBeCloseTo(4, 9)
    expect(await newSecondOpinion(binding, settings).ask()).toBeDefined()
  })

  it('of 0 asks nobody', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { ask } = newSecondOpinion(binding, { SECOND_OPINION_BUDGET_DOLLARS: 0 })
    expect(await ask()).toBe(undefined)
    expect(inputs.length).toBe(0)
  })

  it('that cannot be read asks nobody, and the garment is not failed', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const broken = openDatabase(
      wrapDatabase(bindings.DB, async () => {
        throw new Error('Network connection lost.')
      }),
    )
    const settings = { ...settingsOf(bindings), SECOND_OPINION: 'always' as const }
    const nowMs = newMonth()
    const consultation = createSecondOpinion({ binding, db: broken, settings, now: () => nowMs })(() => true)
    expect(await consultation.ask(request)).toBe(undefined)
    expect(inputs.length).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { openSecondOpinion } from '../../src/second-opinion/open-second-opinion.ts'
import { bindings } from '../service.ts'
import { answerTo, countsOn, newSecondOpinion, rowsOn, standIn } from './stand-in.ts'

const hanging = async () => await new Promise<never>(() => {})

describe('a second opinion', () => {
  it('is the answer by attribute, asked without what the client supplied, and not queued where the model is busy', async () => {
    let given: unknown
    const { binding, inputs } = standIn(async (input, { signal, ...options }, model) => {
      given = { model, options, isSignal: signal instanceof AbortSignal }
      return answerTo(input, { item_type: 'Cardigan' })
    })
    const { ask, flush, clock } = newSecondOpinion(binding)
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
    await flush()
    const [row] = await rowsOn(clock.now)
    expect(row).toMatchObject({ outcome: 'answered', count: 1, tokens: 1500 })
    expect(row?.dollars).toBeCloseTo((1500 * 0.038) / 1e6, 9)
  })

  it.each([
    ['busy', new Error('3040: No more data centers to forward the request to')],
    ['quota', new Error('3036: You have used up your daily free allocation of 10,000 neurons.')],
    ['licence', new Error('5018: The account is not allowed to access this model')],
    ['bad_request', Object.assign(new Error('No such model'), { code: 5007 })],
    ['timeout', new Error('3007: Request timeout')],
    ['fault', new Error('Network connection lost.')],
    ['busy', Object.assign(new Error('Too many requests'), { status: 429 })],
    ['licence', Object.assign(new Error('Forbidden'), { httpCode: 403 })],
  ])('that fails as %s is missing and counted', async (outcome, error) => {
    const { ask, flush, clock } = newSecondOpinion(standIn(() => Promise.reject(error)).binding)
    expect(await ask()).toBe(undefined)
    await flush()
    expect(await countsOn(clock.now)).toEqual({ [outcome]: 1 })
  })

  it('that is not given is not waited for longer than the timeout, and counts as spent', async () => {
    let aborted = false
    const { binding } = standIn(async (_, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true))
      return await hanging()
    })
    const { ask, readMonth, flush, clock } = newSecondOpinion(binding, { SECOND_OPINION_TIMEOUT_MS: 50 })
    await readMonth()
    expect(await ask()).toBe(undefined)
    expect(aborted).toBe(true)
    await flush()
    const [row] = await rowsOn(clock.now)
    expect(row).toMatchObject({ outcome: 'timeout', count: 1 })
    expect(row?.dollars).toBeGreaterThan(0)
  })

  it('that comes too late changes nothing any more', async () => {
    let answerNow = () => {}
    const { binding } = standIn(async (input) => {
      await new Promise<void>((resolve) => (answerNow = resolve))
      return answerTo(input)
    })
    const { ask, readMonth, flush, clock } = newSecondOpinion(binding, { SECOND_OPINION_TIMEOUT_MS: 50 })
    await readMonth()
    expect(await ask()).toBe(undefined)
    answerNow()
    await new Promise((resolve) => setTimeout(resolve, 0))
    await flush()
    expect(await countsOn(clock.now)).toEqual({ timeout: 1 })
  })

  it.each([
    ['nothing', undefined],
    ['text', 'a jumper'],
    ['no answers', { answers: {} }],
    ['an answer without probabilities', { answers: { item_type: { type: 'choice', choice: 'Jumper' } } }],
    ['only some answers', { answers: { item_type: { type: 'choice', probabilities: { Jumper: 1, Cardigan: 0 } } } }],
  ])('of %s is missing', async (_, given) => {
    const { ask, flush, clock } = newSecondOpinion(standIn(async () => given).binding)
    expect(await ask()).toBe(undefined)
    await flush()
    expect(await countsOn(clock.now)).toEqual({ form: 1 })
  })

  it('is not asked for where the run finds no memory to wait in', async () => {
    const { binding, inputs } = standIn(async (input) => answerTo(input))
    const { ask, flush, clock } = newSecondOpinion(binding)
    expect(await ask(() => false)).toBe(undefined)
    await flush()
    expect([inputs.length, await countsOn(clock.now)]).toEqual([0, { skipped: 1 }])
  })

  it('stops after three timeouts in a row, tries once after ten seconds, and goes on when that succeeds', async () => {
    let isDown = true
    const { binding, inputs } = standIn(async (input) => (isDown ? await hanging() : answerTo(input)))
    const { ask, readMonth, clock } = newSecondOpinion(binding, { SECOND_OPINION_TIMEOUT_MS: 50 })
    await readMonth()
    for (let i = 0; i < 6; i++) await ask()
    expect(inputs.length).toBe(3)
    clock.now += 10_000
    await Promise.all([ask(), ask()])
    expect(inputs.length).toBe(4)
    clock.now += 20_000
    isDown = false
    expect(await ask()).toBeDefined()
    expect(await ask()).toBeDefined()
    expect(inputs.length).toBe(6)
  })

  it('does not exist where it is off or nothing is bound', () => {
    const { binding } = standIn(async () => undefined)
    expect(openSecondOpinion(bindings)).toBe(null)
    expect(openSecondOpinion({ ...bindings, SECOND_OPINION: 'doubtful' } as Env)).toBe(null)
    expect(openSecondOpinion({ ...bindings, AI: binding } as unknown as Env)).toBe(null)
    expect(openSecondOpinion({ ...bindings, AI: binding, SECOND_OPINION: 'doubtful' } as unknown as Env)).not.toBe(null)
  })
})

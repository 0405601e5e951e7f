import { z } from 'zod'
import { boundText } from '../platform/limits/bound-text.ts'
import { withTimeout } from '../platform/limits/deadline.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import type { Database } from '../platform/db/database.ts'
import { log } from '../log.ts'
import { settingsOf, type Settings } from '../settings.ts'
import type { Consultation, Opinion, OpinionAnswers, OpinionRequest, Question } from '../vision/opinion.ts'
import { countQuestion, findSpent } from './opinion-budget.ts'
import { estimateTokens, priceOf, questionId, writeInput } from './opinion-question.ts'

/** The binding `AI` of Workers AI: https://developers.cloudflare.com/workers-ai/configuration/bindings/ */
export interface ModelBinding {
  readonly run: (
    model: string,
    input: object,
    options: { readonly rejectIfBusy: true; readonly signal: AbortSignal },
  ) => Promise<unknown>
}

const isModelBinding = (value: unknown): value is ModelBinding =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'

/** `undefined` where nothing is bound, as on one's own machine. */
export function findBinding(env: object): ModelBinding | undefined {
  const bound: unknown = 'AI' in env ? env.AI : undefined
  return isModelBinding(bound) ? bound : undefined
}

/** Whether anybody is asked at present. */
export const isOpinionUsed = (env: object): boolean =>
  findBinding(env) !== undefined && settingsOf(env).SECOND_OPINION !== 'off'

/**
 * Asks about the picture of one run.
 * @param hold gives back the run's turn to decode and keeps so many bytes of memory; false if there is no room
 */
export type SecondOpinion = (hold: (bytes: number) => boolean) => Consultation

export interface OpinionDeps {
  readonly binding: ModelBinding
  /** The accounts' database, which has the budget. */
  readonly db: Database
  readonly settings: Settings
  readonly now: () => number
}

/** Null if the setting is off or nothing is bound: then nothing is requested, read or stored. */
export function openSecondOpinion(env: Pick<Env, 'DB'>): SecondOpinion | null {
  const binding = findBinding(env)
  if (binding === undefined || !isOpinionUsed(env)) return null
  return createSecondOpinion({ binding, db: accountDatabase(env), settings: settingsOf(env), now: Date.now })
}

export function createSecondOpinion(deps: OpinionDeps): SecondOpinion {
  return (hold) => {
    const mode = deps.settings.SECOND_OPINION === 'always' ? 'always' : 'doubtful'
    // Read while the picture is decoded, so that no question waits for it.
    const spent = findSpent(deps.db, deps.now())
    // `ask` reports the failure.
    spent.catch(() => {})
    return { mode, ask: async (request) => (hold(request.heldBytes) ? await ask(deps, request, spent) : undefined) }
  }
}

const maxLogged = 300

class OpinionTimeoutError extends Error {
  override readonly name = 'OpinionTimeoutError'
}

class OpinionFormError extends Error {
  override readonly name = 'OpinionFormError'
}

/** A refused question costs nothing. One that timed out, here or at the model (3007, 3008), or was answered may. */
const mayCost = (error: unknown): boolean =>
  error instanceof OpinionTimeoutError || error instanceof OpinionFormError || /\b300[78]\b/.test(String(error))

/** `undefined` where the month's budget is spent, or where there is no answer. Never throws. */
async function ask(deps: OpinionDeps, request: OpinionRequest, spent: Promise<number>): Promise<Opinion | undefined> {
  const { binding, settings } = deps
  const model = settings.SECOND_OPINION_MODEL
  const costOf = (tokens: number) => (tokens * priceOf(model, settings.SECOND_OPINION_PRICE_DOLLARS)) / 1e6
  const estimated = costOf(estimateTokens(request.questions))
  const timeoutMs = settings.SECOND_OPINION_TIMEOUT_MS
  try {
    const tooLate = () => new OpinionTimeoutError(`No answer within ${timeoutMs} ms`)
    const answer = await withTimeout(timeoutMs, tooLate, async (signal) => {
      if ((await spent) + estimated > settings.SECOND_OPINION_BUDGET_DOLLARS || signal.aborted) return undefined
      return await askModel(binding, model, request, signal)
    })
    if (answer === undefined) return undefined
    const { answers, inputTokens } = answer
    await count(deps, true, inputTokens === undefined ? estimated : costOf(inputTokens))
    return { model, answers }
  } catch (error) {
    log('warn', 'no second opinion', { error: boundText(String(error), maxLogged) })
    await count(deps, false, mayCost(error) ? estimated : 0)
    return undefined
  }
}

/** Throws if there is no answer of the documented form. */
export async function askModel(
  binding: ModelBinding,
  model: string,
  { questions, encodePicture }: Pick<OpinionRequest, 'questions' | 'encodePicture'>,
  signal: AbortSignal,
): Promise<Answer> {
  const input = writeInput(model, questions, encodePicture())
  return readAnswer(await binding.run(model, input, { rejectIfBusy: true, signal }), questions)
}

async function count({ db, now }: OpinionDeps, isAnswered: boolean, dollars: number): Promise<void> {
  try {
    await countQuestion(db, { isAnswered, dollars }, now())
  } catch (error) {
    log('warn', 'second opinion not counted', { error })
  }
}

const answerSchema = z.object({
  answers: z.record(
    z.string(),
    z.object({ type: z.literal('choice'), probabilities: z.record(z.string(), z.number().min(0).max(1)) }),
  ),
  usage: z.object({ input_tokens: z.number().int().min(0).max(10_000_000) }).optional(),
})

/** Probabilities are rounded to four decimals, so that those of a question sum to 1 only roughly. */
const sumTolerance = 0.02

interface Answer {
  readonly answers: OpinionAnswers
  readonly inputTokens: number | undefined
}

/**
 * What a decision model answered, scaled to sum to 1. Throws unless every question is answered in the documented form.
 * The binding gives the result itself, the REST interface in an envelope.
 */
export function readAnswer(response: unknown, questions: readonly Question[]): Answer {
  const result = typeof response === 'object' && response !== null && 'result' in response ? response.result : response
  const parsed = answerSchema.safeParse(result)
  if (!parsed.success) throw new OpinionFormError('The answer is not of the documented form')
  const answers = questions.map((question) => {
    const probabilities = parsed.data.answers[questionId(question)]?.probabilities ?? {}
    const options = Object.keys(question.options)
    const sum = options.reduce((total, option) => total + (probabilities[option] ?? 0), 0)
    if (Math.abs(sum - 1) > sumTolerance) throw new OpinionFormError(`No answer about ${question.attribute}`)
    return [
      question.attribute,
      Object.fromEntries(options.map((option) => [option, (probabilities[option] ?? 0) / sum])),
    ] as const
  })
  return { answers: Object.fromEntries(answers), inputTokens: parsed.data.usage?.input_tokens }
}

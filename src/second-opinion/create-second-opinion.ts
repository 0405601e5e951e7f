import { boundText } from '../bounds/bound-text.ts'
import { withTimeout } from '../bounds/with-timeout.ts'
import type { Database } from '../db/client.ts'
import { log } from '../log.ts'
import type { Settings } from '../settings.ts'
import type { Consultation, OpinionRequest } from '../vision/opinion.ts'
import { classifyError, OpinionFormError, OpinionTimeoutError } from './classify-error.ts'
import type { Breaker } from './create-breaker.ts'
import { type ModelBinding, priceOf } from './model.ts'
import { type Answer, readAnswer } from './read-answer.ts'
import { limitsOf, type Spending } from './spending.ts'
import { estimateTokens, writeInput } from './write-input.ts'

interface OpinionDeps {
  readonly binding: ModelBinding
  /** Of the accounts, where it is counted. */
  readonly db: Database
  readonly settings: Settings
  /** Both of the isolate. */
  readonly breaker: Breaker
  readonly spending: Spending
  readonly now: () => number
}

export interface SecondOpinion {
  /**
   * For the picture of one run of a tenant.
   * @param hold gives back the run's turn to decode and keeps so many bytes of memory; false if there is no room
   */
  readonly consultation: (tenantId: string, hold: (bytes: number) => boolean) => Consultation
  /** Stores what was counted, after a batch. Never throws. */
  readonly flush: () => Promise<void>
}

const maxLogged = 300

/** A refused call costs nothing; one that timed out may. */
const costly: ReadonlySet<string> = new Set(['timeout', 'form'])

/** `null` if the setting is off: then nothing is requested, read or stored. */
export function createSecondOpinion(deps: OpinionDeps): SecondOpinion | null {
  const { settings, spending, now } = deps
  const mode = settings.SECOND_OPINION
  if (mode === 'off') return null
  return {
    consultation: (tenantId, hold) => {
      // Read while the picture is decoded, so that no question waits for it.
      const month = spending.isStale(tenantId, now()) ? spending.refresh(deps.db, tenantId, now()) : Promise.resolve()
      // Whoever asks is told that it failed.
      month.catch(() => {})
      return { mode, ask: async (request) => await ask(deps, request, { tenantId, hold, month }) }
    },
    flush: async () => await spending.flush(deps.db, now()),
  }
}

/** Of one run. */
interface Asking {
  readonly tenantId: string
  readonly hold: (bytes: number) => boolean
  /** The month's spending has been read. */
  readonly month: Promise<void>
}

async function ask(deps: OpinionDeps, request: OpinionRequest, { tenantId, hold, month }: Asking) {
  const { settings, breaker, spending, now } = deps
  if (!breaker.admit(now()) || !hold(request.heldBytes)) {
    spending.count('skipped')
    return undefined
  }
  const price = priceOf(settings.SECOND_OPINION_MODEL, settings.SECOND_OPINION_PRICE_DOLLARS)
  const costOf = (tokens: number) => ({ tenantId, tokens, dollars: (tokens * price) / 1e6 })
  const estimated = costOf(estimateTokens(request.questions))
  try {
    const timeoutMs = settings.SECOND_OPINION_TIMEOUT_MS
    const tooLate = () => new OpinionTimeoutError(`No answer within ${timeoutMs} ms`)
    const answer = await withTimeout(timeoutMs, tooLate, async (signal) => {
      await month
      return await askWithinBudget(deps, request, estimated, signal)
    })
    if (answer === undefined) {
      spending.count('skipped')
      return undefined
    }
    breaker.succeed()
    spending.count('answered', answer.inputTokens === undefined ? estimated : costOf(answer.inputTokens))
    return { model: settings.SECOND_OPINION_MODEL, answers: answer.answers }
  } catch (error) {
    const kind = classifyError(error)
    breaker.fail(kind, now())
    spending.count(kind, costly.has(kind) ? estimated : undefined)
    const level = kind === 'licence' || kind === 'bad_request' ? 'error' : 'warn'
    log(level, 'no second opinion', { kind, error: boundText(String(error), maxLogged) })
    return undefined
  }
}

/** `undefined` if the month's budget or the account's share of it does not allow it. */
async function askWithinBudget(
  { binding, settings, spending }: OpinionDeps,
  { questions, encodePicture }: OpinionRequest,
  { tenantId, dollars }: { readonly tenantId: string; readonly dollars: number },
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (!spending.isWithin(limitsOf(settings), tenantId, dollars)) return undefined
  // Nobody waits for it any more.
  if (signal.aborted) return undefined
  const model = settings.SECOND_OPINION_MODEL
  const input = writeInput(model, questions, encodePicture())
  const answer = readAnswer(await binding.run(model, input, { rejectIfBusy: true, signal }), questions)
  if (answer === undefined) throw new OpinionFormError('The answer is not of the documented form')
  return answer
}

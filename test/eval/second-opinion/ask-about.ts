import { askModel, priceOf } from '../../../src/tagging/second-opinion.ts'
import { parseSettings } from '../../../src/settings.ts'
import { consult } from '../../../src/vision/consult.ts'
import type { Consultation } from '../../../src/vision/opinion.ts'
import { createRestBinding } from './rest-binding.ts'

/** What became of one photograph's question. */
export interface Asked {
  /** `answered`, or what went wrong. */
  readonly outcome: string
  readonly tokens: number
  readonly dollars: number
}

/** The variables of the evaluation's Worker. */
export interface OpinionVars {
  readonly SECOND_OPINION: string
  readonly SECOND_OPINION_MODEL: string
  /** Far callers wait longer than the service would. */
  readonly SECOND_OPINION_TIMEOUT_MS: string
  readonly RUN_URL: string
  readonly RUN_TOKEN: string
}

const secrets = { JWT_SECRET: 'of no use in an evaluation, but required', ENCRYPTION_KEY: btoa('x'.repeat(32)) }

type Analysed = Parameters<typeof consult>

/** Asks as the service does, without a budget. */
export async function askAbout(
  { RUN_URL, RUN_TOKEN, ...vars }: OpinionVars,
  ...[picture, analysis]: [Analysed[1], Analysed[2]]
) {
  const settings = parseSettings({ ...secrets, ...vars })
  const model = settings.SECOND_OPINION_MODEL
  const binding = createRestBinding(RUN_URL, RUN_TOKEN)
  let asked: Asked | undefined
  const ask: Consultation['ask'] = async (request) => {
    try {
      const signal = AbortSignal.timeout(settings.SECOND_OPINION_TIMEOUT_MS)
      const { answers, inputTokens = 0 } = await askModel(binding, model, request, signal)
      const dollars = (inputTokens * priceOf(model, settings.SECOND_OPINION_PRICE_DOLLARS)) / 1e6
      asked = { outcome: 'answered', tokens: inputTokens, dollars }
      return { model, answers }
    } catch (error) {
      asked = { outcome: String(error), tokens: 0, dollars: 0 }
      return undefined
    }
  }
  const mode = settings.SECOND_OPINION === 'always' ? 'always' : 'doubtful'
  return { opinion: await consult({ mode, ask }, picture, analysis), asked }
}

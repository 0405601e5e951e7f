import { createBreaker } from '../../../src/second-opinion/create-breaker.ts'
import { createSecondOpinion } from '../../../src/second-opinion/create-second-opinion.ts'
import type { Outcome } from '../../../src/second-opinion/days.ts'
import type { Spending } from '../../../src/second-opinion/spending.ts'
import { parseSettings } from '../../../src/settings.ts'
import type { Database } from '../../../src/db/client.ts'
import { consult } from '../../../src/vision/consult.ts'
import { createRestBinding } from './rest-binding.ts'

/** What became of one photograph's question. */
export interface Asked {
  readonly outcome: Outcome
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
  let asked: Asked | undefined
  const spending: Spending = {
    isStale: () => false,
    refresh: async () => {},
    isWithin: () => true,
    count: (outcome, used) => void (asked = { outcome, tokens: used?.tokens ?? 0, dollars: used?.dollars ?? 0 }),
    flush: async () => {},
  }
  const service = createSecondOpinion({
    binding: createRestBinding(RUN_URL, RUN_TOKEN),
    // Only its own spending would read it.
    db: {} as Database,
    settings: parseSettings({ ...secrets, ...vars }),
    breaker: createBreaker(),
    spending,
    now: Date.now,
  })
  const opinion =
    service === null
      ? undefined
      : await consult(
          service.consultation('nobody', () => true),
          picture,
          analysis,
        )
  return { opinion, asked }
}

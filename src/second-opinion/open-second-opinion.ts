import { accountDatabase } from '../db/databases/find-database.ts'
import { settingsOf } from '../settings.ts'
import { createBreaker } from './create-breaker.ts'
import { createSecondOpinion, type SecondOpinion } from './create-second-opinion.ts'
import { findBinding } from './model.ts'
import { createSpending } from './spending.ts'

/** Whether anybody is asked at present. */
export const isOpinionUsed = (env: object): boolean =>
  findBinding(env) !== undefined && settingsOf(env).SECOND_OPINION !== 'off'

const breaker = createBreaker()
const spending = createSpending()

/** Null if the setting is off or nothing is bound: then nothing is requested, read or stored. */
export function openSecondOpinion(env: Pick<Env, 'DB'>): SecondOpinion | null {
  const binding = findBinding(env)
  const settings = settingsOf(env)
  if (binding === undefined) return null
  return createSecondOpinion({ binding, db: accountDatabase(env), settings, breaker, spending, now: Date.now })
}

import { minuteMs } from '../rate-limit/sliding-window.ts'
import { throttleOf, tooManyAttempts } from '../rate-limit/throttle.ts'
import type { GuessResult, Reservation } from '../rate-limit/throttle-object.ts'
import { settingsOf } from '../settings.ts'

const hourMs = 60 * minuteMs
const failuresPerHour = 100

/** How long a sign-in waits for others whose result is not known yet, and how often it asks. */
const maxWaitMs = 10_000
const pollMs = 100

/** Whose password is guessed, and from where. */
export interface Guess {
  readonly email: string
  readonly address: string
}

type ThrottleStub = ReturnType<typeof throttleOf>

/**
 * Runs `check` as one guess at a password; null is a wrong one. Only failures count: SIGN_IN_LIMIT_PER_MINUTE for an
 * address and email, and 100 an hour for an account, which an address that has succeeded before is not held to.
 * Throws 429 above that.
 */
export async function limitGuessing<T>(
  env: Pick<Env, 'THROTTLE'>,
  { email, address }: Guess,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const ofAddress = throttleOf(env, `sign-in:${address}:${email}`)
  const ofAccount = throttleOf(env, `account:${email}`)
  const [addressPlace, accountPlace] = await Promise.all([
    reserve(ofAddress, settingsOf(env).SIGN_IN_LIMIT_PER_MINUTE, minuteMs),
    reserve(ofAccount, failuresPerHour, hourMs),
  ])
  const report = async (result: GuessResult) => {
    await Promise.all([
      addressPlace.ok ? ofAddress.reportResult(addressPlace.at, result, true) : undefined,
      accountPlace.ok ? ofAccount.reportResult(accountPlace.at, result, false) : undefined,
    ])
  }
  const refused = !addressPlace.ok ? addressPlace : !accountPlace.ok && !addressPlace.isTrusted ? accountPlace : null
  if (refused !== null) {
    await report('abandoned')
    throw tooManyAttempts(refused.retryAfterMs)
  }
  let result: GuessResult = 'abandoned'
  try {
    const checked = await check()
    result = checked === null ? 'failed' : 'succeeded'
    return checked
  } finally {
    await report(result)
  }
}

/** Waits while the places are taken by sign-ins that may yet succeed: many right ones at once are no guessing. */
async function reserve(throttle: ThrottleStub, limit: number, windowMs: number): Promise<Reservation> {
  const startedAt = Date.now()
  for (;;) {
    const place = await throttle.reserve(limit, windowMs)
    if (place.ok || !place.isPending || Date.now() - startedAt > maxWaitMs) return place
    await scheduler.wait(pollMs)
  }
}

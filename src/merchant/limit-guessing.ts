import { throttleOf, tooManyAttempts } from '../rate-limit/throttle.ts'
import type { GuessResult, Reservation } from '../rate-limit/throttle-object.ts'
import { settingsOf } from '../settings.ts'
import { minuteMs } from '../time.ts'

/** Of one account, from all addresses together. */
const accountLimit = { failures: 100, windowMs: 60 * minuteMs }

/** Of one address, at all accounts together. */
const addressLimit = { failures: 100, windowMs: 10 * minuteMs }

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
 * address and email, and of those whose address has not succeeded with this email before, 100 an hour for an account
 * and 100 in ten minutes for an address. Throws 429 above that.
 */
export async function limitGuessing<T>(
  env: Pick<Env, 'THROTTLE'>,
  { email, address }: Guess,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const ofPair = throttleOf(env, `sign-in:${address}:${email}`)
  const ofAccount = throttleOf(env, `account:${email}`)
  const ofAddress = throttleOf(env, `sign-ins-of:${address}`)
  const [pairPlace, accountPlace, addressPlace] = await Promise.all([
    reserve(ofPair, settingsOf(env).SIGN_IN_LIMIT_PER_MINUTE, minuteMs),
    reserve(ofAccount, accountLimit.failures, accountLimit.windowMs),
    reserve(ofAddress, addressLimit.failures, addressLimit.windowMs),
  ])
  const report = async (result: GuessResult) => {
    await Promise.all([
      pairPlace.ok ? ofPair.reportResult(pairPlace.at, result, true) : undefined,
      accountPlace.ok ? ofAccount.reportResult(accountPlace.at, result, false) : undefined,
      addressPlace.ok ? ofAddress.reportResult(addressPlace.at, result, false) : undefined,
    ])
  }
  // Strangers must lock out neither an owner nor those who share their address.
  const held = pairPlace.isTrusted ? [pairPlace] : [pairPlace, accountPlace, addressPlace]
  for (const place of held)
    if (!place.ok) {
      await report('abandoned')
      throw tooManyAttempts(place.retryAfterMs)
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

/** Waits while pending sign-ins hold all places: concurrent correct sign-ins are no attack. */
async function reserve(throttle: ThrottleStub, limit: number, windowMs: number): Promise<Reservation> {
  const startedAt = Date.now()
  for (;;) {
    const place = await throttle.reserve(limit, windowMs)
    if (place.ok || !place.isPending || Date.now() - startedAt > maxWaitMs) return place
    await scheduler.wait(pollMs)
  }
}

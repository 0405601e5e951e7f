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
  /** A browser in which this email has signed in before. */
  readonly device?: string | undefined
}

type ThrottleStub = ReturnType<typeof throttleOf>

interface Place {
  readonly throttle: ThrottleStub
  readonly at: number
  readonly trust: boolean
}

/**
 * Runs `check` as one guess at a password; null is a wrong one. Only failures count: SIGN_IN_LIMIT_PER_MINUTE for a
 * known device, or for an address and email. Unless the device is known or the address has succeeded with this email
 * before, also 100 an hour for an account and 100 in ten minutes for an address. Throws 429 above that.
 */
export async function limitGuessing<T>(
  env: Pick<Env, 'THROTTLE'>,
  { email, address, device }: Guess,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const perMinute = settingsOf(env).SIGN_IN_LIMIT_PER_MINUTE
  const taken: Place[] = []
  const take = async (throttle: ThrottleStub, limit: number, windowMs: number, trust = false) => {
    const place = await reserve(throttle, limit, windowMs)
    if (place.ok) taken.push({ throttle, at: place.at, trust })
    return place
  }
  const takeAll = async () => {
    if (device !== undefined) {
      const place = await take(throttleOf(env, `sign-in:device:${device}`), perMinute, minuteMs)
      if (!place.ok) throw tooManyAttempts(place.retryAfterMs)
      return
    }
    const ofPair = throttleOf(env, `sign-in:${address}:${email}`)
    // Before the others, so that a flood from one address stores nothing more.
    const addressPlace = await take(
      throttleOf(env, `sign-ins-of:${address}`),
      addressLimit.failures,
      addressLimit.windowMs,
    )
    // Strangers must lock out neither an owner nor those who share their address.
    if (!addressPlace.ok && !(await ofPair.isTrusted())) throw tooManyAttempts(addressPlace.retryAfterMs)
    const [pairPlace, accountPlace] = await Promise.all([
      take(ofPair, perMinute, minuteMs, true),
      take(throttleOf(env, `account:${email}`), accountLimit.failures, accountLimit.windowMs),
    ])
    if (!pairPlace.ok) throw tooManyAttempts(pairPlace.retryAfterMs)
    if (!accountPlace.ok && !pairPlace.isTrusted) throw tooManyAttempts(accountPlace.retryAfterMs)
  }
  let result: GuessResult = 'abandoned'
  try {
    await takeAll()
    const checked = await check()
    result = checked === null ? 'failed' : 'succeeded'
    return checked
  } finally {
    await Promise.all(taken.map(async ({ throttle, at, trust }) => await throttle.reportResult(at, result, trust)))
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

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { eq, type SQL } from 'drizzle-orm'
import { createLimit } from '../platform/limits/limit.ts'
import { emailKeyOf } from './email.ts'
import { tooManySignIns } from './account-errors.ts'
import { throttleOf, tooManyAttempts } from '../platform/limits/throttle.ts'
import { settingsOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import type { Database } from '../platform/db/database.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { members } from '../platform/db/schema.ts'
import { nextSessionVersion } from './token.ts'

/**
 * A hash takes about 200 ms of the isolate's only thread, so hashes run one at a time. After each, the isolate yields
 * several times, because a request needs one turn of the event loop for each of its steps.
 */
const turnsAfterHash = 5
const turnMs = 10

const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  waitingPerKey: 30,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  maxActMs: 2000,
  busy: tooManySignIns,
})

/**
 * Runs `hash` once no other hash runs in this isolate. Throws 503 if too many hashes of `caller`, a client, wait, or
 * after `maxWaitMs`.
 */
export async function withHashSlot<T>(caller: string, hash: () => Promise<T>, maxWaitMs?: number): Promise<T> {
  return await withSlot(
    caller,
    async () => {
      try {
        return await hash()
      } finally {
        for (let turn = 0; turn < turnsAfterHash; turn++) await scheduler.wait(turnMs)
      }
    },
    maxWaitMs,
  )
}

/** OWASP's parameters for 16 MiB of memory. An isolate has 128 MiB. */
const cost = { N: 2 ** 14, r: 8, p: 5 }
const saltBytes = 16
const hashBytes = 32

type Cost = typeof cost

export interface GivenPassword {
  readonly password: string
  /** The client on whose behalf the password is hashed. Limits apply per caller. */
  readonly caller: string
}

async function derive({ password, caller }: GivenPassword, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const maxmem = 2 * 128 * N * r
  const text = password.normalize('NFKC')
  return await withHashSlot(
    caller,
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, hashBytes, { N, r, p, maxmem }, (error, hash) =>
          error === null ? resolve(hash) : reject(error),
        )
      }),
  )
}

/** Returns `scrypt$N$r$p$salt$hash`, the last two in base64. Older hashes stay valid if the parameters are raised. */
export async function hashPassword(password: GivenPassword): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** Compares a password with a stored hash. `stored` is null for an unknown email, which takes the same time. */
export async function isPassword(password: GivenPassword, stored: string | null): Promise<boolean> {
  if (stored === null) {
    await derive(password, randomBytes(saltBytes), cost)
    return false
  }
  const [, N, r, p, salt = '', hash = ''] = stored.split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) })
  const expected = Buffer.from(hash, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

const maxFailures = 100
const accountMs = 60 * minuteMs
const addressMs = 10 * minuteMs

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly address: string
}

type ThrottleStub = ReturnType<typeof throttleOf>

/**
 * Runs `check` as one guess. `check` returns null if the guess is wrong. The guess takes a place in three windows
 * first, and returns the places unless it is wrong. An address that has succeeded with this email before passes the
 * limits of the account and the address, so that strangers lock nobody out. Throws 429 above a limit.
 */
export async function limitGuessing<T>(
  env: Pick<Env, 'THROTTLE'>,
  { emailKey, address }: { readonly emailKey: string; readonly address: string },
  check: () => Promise<T | null>,
): Promise<T | null> {
  const places: { readonly throttle: ThrottleStub; readonly at: number }[] = []
  const reserve = async (throttle: ThrottleStub, limit: number, windowMs: number) => {
    const place = await throttle.reserve(limit, windowMs)
    if (place.ok) places.push({ throttle, at: place.at })
    return place
  }
  const pairThrottle = throttleOf(env, `sign-in:${address}:${emailKey}`)
  let isWrong = false
  try {
    // The address's window comes first, so that a flood from one address creates no objects for the emails that it
    // tries.
    const addressPlace = await reserve(throttleOf(env, `sign-ins-of:${address}`), maxFailures, addressMs)
    if (!addressPlace.ok && !(await pairThrottle.isTrusted())) throw tooManyAttempts(addressPlace.retryAfterMs)
    const [pairPlace, accountPlace] = await Promise.all([
      reserve(pairThrottle, settingsOf(env).SIGN_IN_LIMIT_PER_MINUTE, minuteMs),
      reserve(throttleOf(env, `account:${emailKey}`), maxFailures, accountMs),
    ])
    if (!pairPlace.ok) throw tooManyAttempts(pairPlace.retryAfterMs)
    if (!accountPlace.ok && !pairPlace.isTrusted) throw tooManyAttempts(accountPlace.retryAfterMs)
    const checked = await check()
    isWrong = checked === null
    if (!isWrong) await pairThrottle.trust()
    return checked
  } finally {
    if (!isWrong) await Promise.all(places.map(async ({ throttle, at }) => await throttle.release(at)))
  }
}

/** Each guess calls three objects and a hash, so few guesses of an address are checked at a time. */
const withGuessSlot = createLimit({
  perKey: 3,
  waitingPerKey: 17,
  maxWaitMs: 10_000,
  maxActMs: 20_000,
  busy: tooManySignIns,
})

/** Returns the member with this email and password, or null. Takes the same time for an unknown email. */
export async function checkPassword(env: Pick<Env, 'DB' | 'THROTTLE'>, { email, password, address }: Credentials) {
  const emailKey = emailKeyOf(email) ?? email
  const check = async () => {
    const [member] = await accountDatabase(env).select().from(members).where(eq(members.emailKey, emailKey))
    const isRight = await isPassword({ password, caller: address }, member?.passwordHash ?? null)
    return isRight && member !== undefined ? member : null
  }
  return await withGuessSlot(address, async () => await limitGuessing(env, { emailKey, address }, check))
}

/** Sets a member's password and ends all their sessions and tokens. Returns the changed member. */
export const setPassword = (db: Database, passwordHash: string, which: SQL | undefined) =>
  db.update(members).set({ passwordHash, sessionVersion: nextSessionVersion }).where(which).returning()

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { eq, sql, type SQL } from 'drizzle-orm'
import { createLimit } from '../platform/limits/limit.ts'
import { tooManySignIns } from './errors.ts'
import { throttleOf, tooManyAttempts } from '../platform/limits/throttle.ts'
import type { GuessResult, Reservation } from '../platform/limits/throttle-object.ts'
import { settingsOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import type { Database } from '../platform/db/database.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { members } from '../platform/db/schema.ts'

/**
 * A hash takes some 200 ms of the isolate's only thread, so one runs at a time. Afterwards
 * the isolate yields several times, because each step of a waiting request needs a turn of its own.
 */
const turnsAfterHash = 5
const turnMs = 10

const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // Those that are admitted, and password changes.
  waitingPerKey: 30,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  busy: tooManySignIns,
})

/**
 * Runs `hash` once no other runs in this isolate. `caller` is on whose behalf: callers take turns, so that one with
 * many guesses delays no other. Throws 503 after `maxWaitMs` in the queue.
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

/** OWASP's parameters for 16 MiB of memory; an isolate has 128 MiB. */
const cost = { N: 2 ** 14, r: 8, p: 5 }
const saltBytes = 16
const hashBytes = 32

type Cost = typeof cost

export interface GivenPassword {
  readonly password: string
  /** On whose behalf it is hashed: hashing is slow, and callers take turns. */
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

/** `scrypt$N$r$p$salt$hash`, the last two in base64: the parameters can be raised without losing older hashes. */
export async function hashPassword(password: GivenPassword): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** With `stored` null, for an email that nobody has, it takes the same time as a comparison. */
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

/** For one account from all addresses together, and for one address at all accounts together. */
const maxFailures = 100
const accountMs = 60 * minuteMs
const addressMs = 10 * minuteMs

/** How long a sign-in waits for others whose result is not known yet, and how often it asks. */
const maxWaitMs = 10_000
const pollMs = 100

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
  { email, address, device }: Omit<Credentials, 'password'>,
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
    const addressPlace = await take(throttleOf(env, `sign-ins-of:${address}`), maxFailures, addressMs)
    // Strangers must lock out neither an owner nor those who share their address.
    if (!addressPlace.ok && !(await ofPair.isTrusted())) throw tooManyAttempts(addressPlace.retryAfterMs)
    const [pairPlace, accountPlace] = await Promise.all([
      take(ofPair, perMinute, minuteMs, true),
      take(throttleOf(env, `account:${email}`), maxFailures, accountMs),
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

/** Whose password is guessed. */
export interface Credentials {
  readonly email: string
  readonly password: string
  /** Where the request came from. */
  readonly address: string
  /** A browser in which this email has signed in before. */
  readonly device?: string | undefined
}

/**
 * About as many as are hashed in the time that one waits. Each guess asks three objects, so a flood stops before them.
 * One password is hashed at a time, so that a few that act keep the slot busy.
 */
const admit = createLimit({
  perKey: 3,
  waitingPerKey: 17,
  maxWaitMs: 10_000,
  busy: tooManySignIns,
})

/** The member with this email and password, or null, in the same time for an unknown email. */
export async function checkPassword(env: Pick<Env, 'DB' | 'THROTTLE'>, { password, ...guess }: Credentials) {
  const check = async () => {
    const [member] = await accountDatabase(env).select().from(members).where(eq(members.email, guess.email))
    const isRight = await isPassword({ password, caller: guess.address }, member?.passwordHash ?? null)
    return isRight && member !== undefined ? member : null
  }
  return await admit(guess.address, async () => limitGuessing(env, guess, check))
}

/** Sets the password of a member and ends all sessions and tokens. Returns the member as it is now. */
export const setPassword = (db: Database, passwordHash: string, which: SQL | undefined) =>
  db
    .update(members)
    .set({ passwordHash, sessionVersion: sql`${members.sessionVersion} + 1` })
    .where(which)
    .returning()

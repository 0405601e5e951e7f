import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { withHashSlot } from './hash-slot.ts'

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

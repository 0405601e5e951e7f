import type { Context } from 'hono'
import { ApiError } from '../http/errors.ts'
import { toRetryAfter } from '../http/retry-after.ts'
import { minuteMs } from '../../time.ts'

/** Opens the sliding window of one subject, such as `sign-up:192.0.2.1`. */
export const throttleOf = (env: Pick<Env, 'THROTTLE'>, subject: string) => env.THROTTLE.getByName(subject)

/** Throws 429 if `subject` was admitted `limit` times in the last minute. */
export async function throttle(
  env: Pick<Env, 'THROTTLE'>,
  subject: string,
  limit: number,
  problem = tooManyAttempts,
): Promise<void> {
  const waitMs = await throttleOf(env, subject).enter(limit, minuteMs)
  if (waitMs !== null) throw problem(waitMs)
}

export function tooManyAttempts(waitMs: number): ApiError {
  const wait = toRetryAfter(waitMs)
  return new ApiError('too_many_attempts', 'Too many attempts', [`Wait ${wait} s before the next attempt.`], {
    'Retry-After': wait,
  })
}

/** Returns an IPv4 address, or the /64 of an IPv6 address, because a client owns all of it. */
export function addressGroup(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest)
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** Cloudflare sets the header on every request, so it is absent only in local runs. */
export const clientAddress = (c: Pick<Context, 'req'>) => addressGroup(c.req.header('cf-connecting-ip') ?? 'local')

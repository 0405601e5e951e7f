import type { Context } from 'hono'
import { settingsOf } from '../settings.ts'
import { windowMs } from '../rate-limit/sliding-window.ts'
import { ApiError } from '../http/errors.ts'

/** An IPv6 client owns a whole /64, so its first four groups stand for it. */
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

/** Set by Cloudflare on every request that comes from outside; absent only in local development. */
export const clientAddress = (c: Pick<Context, 'req'>) => addressGroup(c.req.header('cf-connecting-ip') ?? 'local')

/** Throws 429 where `subject` (a client address or an e-mail) has tried too often in the last minute. */
export async function throttleGuessing(env: Env, subject: string): Promise<void> {
  const limit = settingsOf(env).SIGN_IN_LIMIT_PER_MINUTE
  const waitMs = await env.THROTTLE.getByName(subject).enter(limit, windowMs)
  if (waitMs === null) return
  const wait = String(Math.ceil(waitMs / 1000))
  throw new ApiError(429, 'Too many attempts', [`Wait ${wait} s before the next attempt.`], { 'Retry-After': wait })
}

import { ApiError } from '../http/errors.ts'
import { locationOf } from '../settings.ts'
import { minuteMs } from '../time.ts'

/** The window of one subject, for example `sign-up:192.0.2.1`. */
export const throttleOf = (env: Pick<Env, 'THROTTLE'>, subject: string) =>
  env.THROTTLE.getByName(subject, locationOf(env))

/** Throws 429 where `subject` was admitted `limit` times in the last minute. */
export async function throttle(env: Pick<Env, 'THROTTLE'>, subject: string, limit: number): Promise<void> {
  const waitMs = await throttleOf(env, subject).enter(limit, minuteMs)
  if (waitMs !== null) throw tooManyAttempts(waitMs)
}

export function tooManyAttempts(waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  return new ApiError('too_many_attempts', 'Too many attempts', [`Wait ${wait} s before the next attempt.`], {
    'Retry-After': wait,
  })
}

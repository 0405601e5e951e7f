import { createAdmission } from '../bounds/create-admission.ts'
import { ApiError } from '../http/errors.ts'

const maxAtOnce = 50

/**
 * Handles a request of a member in its turn. An isolate works on two of a member at a time, and on one while more
 * than four are under way, so that what it reads and renders for one stays small, and requests of others are answered
 * between. Throws 429 while 50 are under way.
 */
export const admitMember = createAdmission({
  maxOfKey: maxAtOnce,
  mayAct: (underWay) => (underWay > 4 ? 1 : 2),
  maxBehindMs: 10_000,
  busy: () =>
    new ApiError(
      'rate_limited',
      'Too many requests',
      [`At most ${maxAtOnce} requests of one member at a time; wait for the answers to others.`],
      { 'Retry-After': '5' },
    ),
})

import { createLimit } from '../bounds/limit.ts'
import { tooManyAtOnce } from '../http/common-errors.ts'
import type { TokenHolder } from './token.ts'

const busy = () => tooManyAtOnce('Wait for the answers to other requests of yours.', 5)

const ofMember = createLimit({ perKey: 2, waitingPerKey: 48, maxWaitMs: 10_000, busy })

const ofAccount = createLimit({ perKey: 8, waitingPerKey: 92, maxWaitMs: 10_000, busy })

/**
 * Handles a request of a member in its turn. An isolate works on two of a member at a time, and on eight of an account, so that what it reads and renders for one stays small, and requests of
 * others are answered between. Throws 429 while 50 of the member are under way, or if it waits for 10 s.
 */
export const admitMember = async <T>(
  { id, memberId }: Pick<TokenHolder, 'id' | 'memberId'>,
  act: () => Promise<T>,
): Promise<T> => await ofMember(memberId, async () => await ofAccount(id, act))

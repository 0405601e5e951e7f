import { createAdmission } from '../bounds/create-admission.ts'
import { tooManyAtOnce } from '../http/common-errors.ts'
import type { TokenHolder } from './token.ts'

const busy = () => tooManyAtOnce('Wait for the answers to other requests of yours.', 5)

const maxWaitMs = 10_000

const ofMember = createAdmission({ maxOfKey: 50, mayAct: (underWay) => (underWay > 4 ? 1 : 2), maxWaitMs, busy })

const ofAccount = createAdmission({ maxOfKey: 100, mayAct: () => 8, maxWaitMs, busy })

/**
 * Handles a request of a member in its turn. An isolate works on two of a member at a time, on one while more than four
 * are under way, and on eight of an account, so that what it reads and renders for one stays small, and requests of
 * others are answered between. Throws 429 while 50 of the member are under way, or if it waits for 10 s.
 */
export const admitMember = async <T>(
  { id, memberId }: Pick<TokenHolder, 'id' | 'memberId'>,
  act: () => Promise<T>,
): Promise<T> => await ofMember(memberId, async () => await ofAccount(id, act))

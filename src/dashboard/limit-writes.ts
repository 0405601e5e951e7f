import { tooManyRequests } from '../platform/http/errors.ts'
import type { Role } from '../accounts/permissions.ts'
import { throttle, tooManyAttempts } from '../platform/limits/throttle.ts'

/**
 * What an account or a tenant may send from the dashboard in a minute, beside the rate limit of the API: the prefix of
 * the window's name, the limit, and what is counted, as its failure says.
 */
function limitOf(prefix: string, perMinute: number, what?: string) {
  const problem = (waitMs: number) => tooManyRequests(`${perMinute} ${what} a minute are possible here`, waitMs)
  return async (env: Pick<Env, 'THROTTLE'>, id: string): Promise<void> =>
    await throttle(env, `${prefix}:${id}`, perMinute, what === undefined ? tooManyAttempts : problem)
}

const limitMembers = limitOf('dashboard-changes', 600, 'changes of an account')
const limitOwners = limitOf('dashboard-owner-changes', 60, 'changes by owners of an account')

/**
 * Limits what the members of an account send; files have limits of their own. What is for owners is counted apart, so
 * that other members cannot keep an owner from removing them.
 */
export const limitChanges = async (env: Pick<Env, 'THROTTLE'>, merchantId: string, needed: Role) =>
  await (needed === 'owner' ? limitOwners : limitMembers)(env, merchantId)

/** Those of a tenant; exports and changes of many garments take hundreds of queries each. */
export const limitWrites = limitOf(
  'dashboard-writes',
  60,
  'uploads, test events, redeliveries, exports and changes of many garments',
)

const limitFilesOfExports = limitOf('dashboard-exports', 10, 'exports and checks')

/** A tenant's files and checks of exports, each of which takes up to 1,000 queries; they count as writes too. */
export const limitExports = async (env: Pick<Env, 'THROTTLE'>, tenantId: string) =>
  await Promise.all([limitWrites(env, tenantId), limitFilesOfExports(env, tenantId)])

/** A tenant's choices, each of which rewrites all garments. */
export const limitReviewed = limitOf('reviewed-attributes', 3, 'choices of the attributes to review')

/** Imports are counted by merchant, so that a new tenant does not start them over. */
export const limitFiles = limitOf('imported-files', 600)
export const limitCsvFiles = limitOf('imported-csv-files', 20)

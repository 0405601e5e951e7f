import { tooManyRequests } from '../platform/http/errors.ts'
import type { Role } from '../accounts/permissions.ts'
import { throttle, tooManyAttempts } from '../platform/limits/throttle.ts'

/** Creates a limit per minute for writes from the dashboard. `what` names the counted thing in error messages. */
function limitOf(prefix: string, perMinute: number, what?: string) {
  const problem = (waitMs: number) => tooManyRequests(`${perMinute} ${what} a minute are possible here`, waitMs)
  return async (env: Pick<Env, 'THROTTLE'>, id: string): Promise<void> =>
    await throttle(env, `${prefix}:${id}`, perMinute, what === undefined ? tooManyAttempts : problem)
}

const limitMembers = limitOf('dashboard-changes', 600, 'changes of an account')
const limitOwners = limitOf('dashboard-owner-changes', 60, 'changes by owners of an account')

/** Owners' actions are counted separately, so that other members cannot stop an owner from removing them. */
export const limitChanges = async (env: Pick<Env, 'THROTTLE'>, merchantId: string, needed: Role) =>
  await (needed === 'owner' ? limitOwners : limitMembers)(env, merchantId)

/** Limits a tenant's writes. Exports and bulk edits have stricter limits, because each takes hundreds of queries. */
export const limitWrites = limitOf(
  'dashboard-writes',
  60,
  'uploads, test events, redeliveries, exports and changes of many garments',
)

const limitFilesOfExports = limitOf('dashboard-exports', 10, 'exports and checks')

/** Export files and checks have a limit of their own, because each takes up to 1,000 queries. */
export const limitExports = async (env: Pick<Env, 'THROTTLE'>, tenantId: string) =>
  await Promise.all([limitWrites(env, tenantId), limitFilesOfExports(env, tenantId)])

/** Limits changes of the reviewed attributes, because each change rewrites all garments. */
export const limitReviewed = limitOf('reviewed-attributes', 3, 'choices of the attributes to review')

/** Imports are counted per merchant, so that creating a new tenant does not reset the limit. */
export const limitFiles = limitOf('imported-files', 600)
export const limitCsvFiles = limitOf('imported-csv-files', 20)

import { tooManyRequests } from '../platform/http/errors.ts'
import type { Role } from '../accounts/permissions.ts'
import { throttle } from '../platform/limits/throttle.ts'

const changesPerMinute = 600
const ownerChangesPerMinute = 60

/**
 * Limits what the members of an account send from the dashboard; files have limits of their own. What is for owners is
 * counted apart, so that other members cannot keep an owner from removing them. Throws 429 above 600 a minute, or 60.
 */
export const limitChanges = async (env: Pick<Env, 'THROTTLE'>, merchantId: string, needed: Role) =>
  needed === 'owner'
    ? await throttle(env, `dashboard-owner-changes:${merchantId}`, ownerChangesPerMinute, tooManyOwnerChanges)
    : await throttle(env, `dashboard-changes:${merchantId}`, changesPerMinute, tooManyChanges)

const tooManyChanges = (waitMs: number) =>
  tooManyRequests(`${changesPerMinute} changes of an account a minute are possible here`, waitMs)

const tooManyOwnerChanges = (waitMs: number) =>
  tooManyRequests(`${ownerChangesPerMinute} changes by owners of an account a minute are possible here`, waitMs)

const writesPerMinute = 60

/**
 * Limits a tenant's uploads, test events and redeliveries from the dashboard, and its exports and changes of many
 * garments, each of which takes hundreds of queries: they do not count against the rate limit of the API. Throws 429
 * above 60 a minute.
 */
export const limitWrites = async (env: Env, tenantId: string) =>
  await throttle(env, `dashboard-writes:${tenantId}`, writesPerMinute, tooManyWrites)

const exportsPerMinute = 10

/**
 * Limits a tenant's files and checks of exports, each of which takes up to 1,000 queries, and counts them as writes
 * too. Throws 429 above 10 a minute.
 */
export const limitExports = async (env: Env, tenantId: string) =>
  await Promise.all([
    limitWrites(env, tenantId),
    throttle(env, `dashboard-exports:${tenantId}`, exportsPerMinute, tooManyExports),
  ])

const tooManyExports = (waitMs: number) =>
  tooManyRequests(`${exportsPerMinute} exports and checks a minute are possible here`, waitMs)

const tooManyWrites = (waitMs: number) =>
  tooManyRequests(
    `${writesPerMinute} uploads, test events, redeliveries, exports and changes of many garments a minute are possible here`,
    waitMs,
  )

const reviewedPerMinute = 3

/** Limits choices of the attributes to review, each of which rewrites all garments. Throws 429 above 3 a minute. */
export const limitReviewed = async (env: Env, tenantId: string) =>
  await throttle(env, `reviewed-attributes:${tenantId}`, reviewedPerMinute, tooManyReviewed)

const tooManyReviewed = (waitMs: number) =>
  tooManyRequests(`${reviewedPerMinute} choices of the attributes to review a minute are possible here`, waitMs)

/**
 * Imports count neither against the rate limit of the API nor against that of the dashboard's writes. They are counted
 * by merchant, so that a new tenant does not start them over.
 */
const filesPerMinute = 600
const csvFilesPerMinute = 20

/** Throws 429 above the limit. */
export const limitFiles = async (env: Pick<Env, 'THROTTLE'>, merchantId: string) =>
  await throttle(env, `imported-files:${merchantId}`, filesPerMinute)

/** Throws 429 above the limit. */
export const limitCsvFiles = async (env: Pick<Env, 'THROTTLE'>, merchantId: string) =>
  await throttle(env, `imported-csv-files:${merchantId}`, csvFilesPerMinute)

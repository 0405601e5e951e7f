import { tooManyRequests } from '../http/common-errors.ts'
import { throttle } from '../rate-limit/throttle.ts'

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

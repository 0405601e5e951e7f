import { throttle } from '../../rate-limit/throttle.ts'

/** Imports count neither against the rate limit of the API nor against that of the dashboard's writes. */
const filesPerMinute = 600
const csvFilesPerMinute = 20

/** Throws 429 above the limit. */
export const limitFiles = async (env: Pick<Env, 'THROTTLE'>, tenantId: string) =>
  await throttle(env, `imported-files:${tenantId}`, filesPerMinute)

/** Throws 429 above the limit. */
export const limitCsvFiles = async (env: Pick<Env, 'THROTTLE'>, tenantId: string) =>
  await throttle(env, `imported-csv-files:${tenantId}`, csvFilesPerMinute)

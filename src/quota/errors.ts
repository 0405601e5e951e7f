import { formatCount } from '../count.ts'
import { ApiError } from '../http/errors.ts'
import { quotaNames } from '../db/schema.ts'
import type { QuotaName, Quotas } from './quotas.ts'

const megabytes = (bytes: number) => `${formatCount(Math.floor(bytes / 1_000_000))} MB`

/** The exceeded quota, and the remedy. */
const sentences: Readonly<Record<QuotaName, (most: number) => string>> = {
  garments: (most) =>
    `A tenant has at most ${formatCount(most)} garments; shorten the period after which they are removed, or ask the operator for more.`,
  import_lines: (most) =>
    `A tenant has at most ${formatCount(most)} lines of imports, ended ones included; shorten the period after which they are removed, or ask the operator for more.`,
  text_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of uuids, addresses and attributes; send fewer or shorter attributes, or ask the operator for more.`,
  files: (most) =>
    `A tenant has at most ${formatCount(most)} files; shorten the period after which they are removed, or ask the operator for more.`,
  file_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of files; send smaller ones, shorten the period after which they are removed, or ask the operator for more.`,
}

const isBytes = (name: QuotaName) => name.endsWith('_bytes')

/** 413 for bytes, else 429. Room is made only by the removal of expired data, so an immediate retry is useless. */
export const quotaExceeded = (name: QuotaName, most: number) =>
  isBytes(name)
    ? new ApiError('storage_quota_exceeded', 'Quota exceeded', [sentences[name](most)])
    : new ApiError('quota_exceeded', 'Quota exceeded', [sentences[name](most)], { 'Retry-After': '3600' })

/** The 429 or 413 of a batch that `addStored` broke; null for any other error. */
export function quotaError(error: unknown, quotas: Quotas): ApiError | null {
  const name = quotaNames.find((each) => new RegExp(`\\bquota_${each}\\b`).test(String(error)))
  if (name === undefined) return null
  return quotaExceeded(name, quotas[name])
}

/** Runs a batch with `addStored`; throws 429 or 413 if it exceeds the tenant's quotas. */
export async function withinQuotas<T>(quotas: Quotas, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw quotaError(error, quotas) ?? error
  }
}

import type { Quotas } from '../../../src/accounts/quotas.ts'

export const noLimit = 1e15

/** Quotas that no measurement reaches. */
export const noQuotas: Quotas = {
  garments: noLimit,
  import_lines: noLimit,
  row_bytes: noLimit,
  files: noLimit,
  file_bytes: noLimit,
  growthDays: 1,
  nowMs: 0,
}

import { costOf, type Part } from './prices.ts'

/** Budgets of a realistic garment with one picture that can be found by search, is delivered once, and removed. */
export const limits = {
  databaseBytes: 4500,
  rowsWritten: 32,
  /** Dollars per million garments, without storage. */
  operations: 52,
  /** Dollars per million garments, with 365 days of storage. */
  withYear: 112,
}

/** Dollars per million garments. */
export const sumCost = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + costOf(part, 1_000_000), 0)

import { minuteMs } from '../../time.ts'

/** The platform's limit, at which every write fails. */
export const maxDatabaseBytes = 10_000_000_000

/** A database above this share of its largest size gets no new tenants, and the operator is notified. */
export const fullShare = 0.8

/** The sweep of each database runs each minute. After this time without one, something is wrong. */
export const maxSweepAgeMs = 3 * minuteMs

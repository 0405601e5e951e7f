import process from 'node:process'

const isLong = process.env['LONG'] !== undefined

/**
 * Limits in milliseconds for a whole test and for one wait inside it. They only end tests that hang. No test
 * measures time with them.
 */
export const timeouts = isLong ? { test: 900_000, wait: 300_000 } : { test: 120_000, wait: 90_000 }

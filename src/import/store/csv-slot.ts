import { createFairSlot } from '../../bounds/create-fair-slot.ts'
import { tooManyFilesRead } from '../errors.ts'

/**
 * Runs the work on a CSV file. Its text and the rows read from it take up to 40 MB, so an isolate handles one at a
 * time, and tenants take turns. Throws 503 if too many wait.
 */
export const withCsvSlot = createFairSlot({
  // Each holds the bytes of its file.
  maxWaiting: 4,
  maxWaitingOfKey: 2,
  expiryMs: 60_000,
  busy: tooManyFilesRead,
})

import { createLimit } from '../../bounds/limit.ts'
import { tooManyFilesRead } from '../errors.ts'

/**
 * Runs the work on a CSV file. Its text and the rows read from it take up to 40 MB, so an isolate handles one at a
 * time, and tenants take turns. Throws 503 if too many wait.
 */
export const withCsvSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // Each holds the bytes of its file.
  waitingPerKey: 2,
  waitingInAll: 4,
  maxWaitMs: 10_000,
  busy: tooManyFilesRead,
})

import type { Context, Env } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { createLimit } from '../platform/limits/limit.ts'
import { withDeadline } from '../platform/limits/deadline.ts'
import { minuteMs } from '../time.ts'
import {
  fileTooLate,
  importTooLarge,
  maxCsvBytes,
  notLines,
  tooManyBeingSent,
  tooManyFilesRead,
  unusableFile,
} from './import-errors.ts'
import { readTextFile } from '../platform/csv/decode-text.ts'
import type { AppEnv } from '../platform/http/router.ts'
import type { LineFormat } from './store-import-lines.ts'

/** For 8 MiB, at about 0.6 Mbit/s. */
const maxArrivalMs = 2 * minuteMs

/** A file is in memory while it is being sent and while it waits. */
const admit = createLimit({ perKey: 3, maxWaitMs: 0, busy: tooManyBeingSent })

/**
 * Runs what reads and handles a body of lines, in an isolate for at most three of a tenant at a time. Throws 429 above
 * that. Reading the body throws 400 if it is sent too slowly.
 */
export const receiveFile = async <E extends Env>(
  { req }: Context<E>,
  tenantId: string,
  handle: () => Promise<void>,
  arrivalMs = maxArrivalMs,
): Promise<void> =>
  await admit(tenantId, async () => {
    req.raw = withDeadline(req.raw, arrivalMs, () => fileTooLate(arrivalMs / 1000))
    await handle()
  })

const formats: readonly (readonly [RegExp, LineFormat])[] = [
  [/^text\/csv\s*(;|$)/i, 'csv'],
  [/^application\/(x-ndjson|ndjson|jsonl|json-lines)\s*(;|$)/i, 'json lines'],
]

/** The format that a request's `Content-Type` names. Throws 415. */
export function lineFormat(contentType = ''): LineFormat {
  const found = formats.find(([pattern]) => pattern.test(contentType))
  if (found === undefined) throw notLines()
  return found[1]
}

const limit = bodyLimit({
  maxSize: maxCsvBytes,
  onError: () => {
    throw importTooLarge()
  },
})

/** Accepts a body of CSV or JSON lines, of a tenant's API key. */
export const linesBody = createMiddleware<AppEnv>(async (c, next) => {
  lineFormat(c.req.header('content-type'))
  await receiveFile(c, c.var.tenantId, async () => void (await limit(c, next)))
})

/** The text of a file. Throws 400 for one that has none, such as a picture; `field` is where it came from. */
export function readLinesFile(bytes: Uint8Array, field: string): string {
  const read = readTextFile(bytes)
  if ('problem' in read) throw unusableFile(`${field}: ${read.problem}`)
  return read.text
}

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

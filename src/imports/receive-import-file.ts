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

const maxArrivalMs = 2 * minuteMs

const admit = createLimit({ perKey: 3, maxWaitMs: 0, maxActMs: maxArrivalMs + minuteMs, busy: tooManyBeingSent })

/**
 * Runs `handle`, which reads and handles the request's file. Throws 429 if three files of the tenant are already being
 * received in this isolate. Reading the body throws 400 if it arrives too slowly.
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
  [/^(text\/csv|application\/octet-stream)\s*(;|$)/i, 'csv'],
  [/^application\/(x-ndjson|ndjson|jsonl|json-lines)\s*(;|$)/i, 'json lines'],
]

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

export const linesBody = createMiddleware<AppEnv>(async (c, next) => {
  lineFormat(c.req.header('content-type'))
  await receiveFile(c, c.var.tenantId, async () => void (await limit(c, next)))
})

/** Decodes a text file. Throws 400 for any other file, such as a picture. The message names the `field` of the file. */
export function readLinesFile(bytes: Uint8Array, field: string): string {
  const read = readTextFile(bytes)
  if ('problem' in read) throw unusableFile(`${field}: ${read.problem}`)
  return read.text
}

/**
 * Runs the work on a CSV file. A file's text and rows take up to 40 MB, so an isolate handles one file at a time, and
 * tenants take turns. Throws 503 if too many files wait.
 */
export const withCsvSlot = createLimit({
  perKey: 1,
  inAll: 1,
  waitingPerKey: 2,
  waitingInAll: 4,
  maxWaitMs: 10_000,
  maxActMs: minuteMs,
  busy: tooManyFilesRead,
})

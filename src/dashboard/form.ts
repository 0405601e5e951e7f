import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type { z } from 'zod'
import { withDeadline, withTimeout } from '../bounds/deadline.ts'
import { bodyTooLate, maxBodyBytes, maxBodyMs } from '../http/common-errors.ts'
import { ApiError } from '../http/errors.ts'
import { type MultipartForm, readMultipart } from '../http/multipart.ts'
import { rejectInvalid } from '../http/validation/to-problems.ts'
import { formTooLarge, unsupportedForm } from './errors/page-errors.ts'

export type FormValues = Readonly<Record<string, string>>

const limit = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw formTooLarge()
  },
})

export const isForm = (c: Context) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')

export const isMultipart = (c: Context) => /^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')

/** Accepts URL-encoded forms only: `csrf()` checks no other content type that a foreign page could send. */
export const formBody = createMiddleware(async (c, next) => {
  if (!isForm(c)) throw unsupportedForm()
  c.req.raw = withDeadline(c.req.raw, maxBodyMs, bodyTooLate)
  return await limit(c, next)
})

/** Reads a form whose last field is a file. Throws 400, 411, 413 or 415. */
export async function readFileForm(c: Context, maxFileBytes: number): Promise<MultipartForm> {
  if (!isMultipart(c)) throw unsupportedForm()
  return await readMultipart(c.req.raw, maxFileBytes)
}

/** The text fields of a form. Browsers send line breaks as CRLF; they become LF. */
export async function readForm(c: Context): Promise<FormValues> {
  const body = await c.req.parseBody()
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]))
}

/** Parses with the same schemas as the API, and throws the same `ApiError`. */
export function parseFields<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  rejectInvalid(result)
  return result.data as z.infer<T>
}

const maxDrainMs = 60_000

/**
 * Receives the rest of a request that is refused, because a browser shows the answer only then. Not what is longer than
 * `maxBytes`, or takes a minute.
 */
export async function drain({ body, bodyUsed, headers }: Request, maxBytes: number): Promise<void> {
  const isShort = Number(headers.get('content-length') ?? Infinity) <= maxBytes
  if (!isShort || body === null || bodyUsed || body.locked) return
  const late = () => new Error('A refused form did not arrive')
  await withTimeout(maxDrainMs, late, async (signal) => await body.pipeTo(new WritableStream(), { signal })).catch(
    () => {},
  )
}

export type Submission<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiError }

/**
 * Runs the action of a form. A failure below 500 is returned, to be shown in the form, and its headers
 * (such as `Retry-After`) are set on the response.
 */
export async function submit<T>(c: Context, act: () => Promise<T>): Promise<Submission<T>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return { ok: false, failure: error }
  }
}

import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type { z } from 'zod'
import { withDeadline, withTimeout } from '../platform/limits/deadline.ts'
import { ApiError, bodyTooLate, maxBodyBytes, maxBodyMs } from '../platform/http/errors.ts'
import { type MultipartForm, readMultipart } from '../platform/http/multipart.ts'
import { isUtf8Encoded, notUtf8, readText } from '../platform/http/text.ts'
import { rejectInvalid } from '../platform/http/validation.ts'
import { formTooLarge, unsupportedForm } from './page-errors.ts'
import { knownAttributes } from '../garments/garment-fields.ts'
import { boundName } from '../platform/limits/bound-text.ts'

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

/** Accepts only URL-encoded forms. `csrf()` does not check other content types that a foreign page could send. */
export const formBody = createMiddleware(async (c, next) => {
  if (!isForm(c)) throw unsupportedForm()
  c.req.raw = withDeadline(c.req.raw, maxBodyMs, bodyTooLate)
  return await limit(c, async () => {
    if (!isUtf8Encoded(await readText(c.req))) throw notUtf8('The form')
    await next()
  })
})

/** Reads a multipart form whose last fields are files. Throws 400, 411, 413 or 415. */
export async function readFileForm(c: Context, maxFileBytes: number, maxFiles = 1): Promise<MultipartForm> {
  if (!isMultipart(c)) throw unsupportedForm()
  return await readMultipart(c.req.raw, { maxFileBytes, maxFiles })
}

/** Reads the text fields of a form. Converts line breaks from CRLF, which browsers send, to LF. */
export async function readForm(c: Context): Promise<FormValues> {
  const body = await c.req.parseBody()
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]))
}

/** Parses with the API's schemas and throws the same `ApiError`. */
export function parseFields<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  rejectInvalid(result)
  return result.data as z.infer<T>
}

const maxDrainMs = 60_000

/** Receives the rest of a rejected request, because a browser shows the response only afterwards. */
export async function drain({ body, bodyUsed, headers }: Request, maxBytes: number): Promise<void> {
  const isShort = Number(headers.get('content-length') ?? Infinity) <= maxBytes
  if (!isShort || body === null || bodyUsed || body.locked) return
  const late = () => new Error('A refused form did not arrive')
  await withTimeout(maxDrainMs, late, async (signal) => await body.pipeTo(new WritableStream(), { signal })).catch(
    () => {},
  )
}

export function setFailure(c: Context, { status, headers }: ApiError): void {
  c.status(status)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}

type Submission<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiError }

/** Runs a form's action. Returns a failure below 500 for the form to show, and sets the response's status. */
export async function submit<T>(c: Context, act: () => Promise<T>): Promise<Submission<T>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    setFailure(c, error)
    return { ok: false, failure: error }
  }
}

/** Runs `submit` for a URL-encoded form. A failure contains the submitted values and the problems by field. */
export async function submitForm<T>(
  c: Context,
  fields: readonly string[],
  act: (values: FormValues) => Promise<T>,
  aliases?: Readonly<Record<string, string>>,
) {
  const values = await readForm(c)
  const result = await submit(c, async () => await act(values))
  if (result.ok) return { ...result, values }
  return { ok: false, form: { values, problems: problemsOf(result.failure, fields, aliases) } } as const
}

export const attributeField = (name: string) => `attribute.${name}`

export function readKnownAttributes(values: FormValues): Record<string, string> {
  const entries = knownAttributes.map((name) => [name, values[attributeField(name)]?.trim() ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** Parses a text area with one `Name: value` per line. */
export function parseLines(text: string, field: string): { values: Record<string, string>; problems: string[] } {
  const values = new Map<string, string>()
  const problems: string[] = []
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (name === '') problems.push(`${field}: line ${i + 1} must read "Name: value"`)
    else if (values.has(name)) problems.push(`${field}.${boundName(name)}: is given twice`)
    else values.set(name, line.slice(colon + 1).trim())
  })
  return { values: Object.fromEntries(values), problems }
}

export const toLines = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export interface Problems {
  readonly title: string
  readonly byField: Readonly<Record<string, readonly string[]>>
  readonly general: readonly string[]
}

/** Assigns problems such as `size: too long` to fields. `aliases` maps the beginnings of problems without a field. */
export function problemsOf(
  failure: ApiError,
  fields: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Problems {
  const byField: Record<string, string[]> = {}
  const general: string[] = []
  // Longest name first, so that `attribute.Brand` matches before `attribute`.
  const names = [...fields].sort((a, b) => b.length - a.length)
  for (const problem of failure.problems) {
    const alias = Object.keys(aliases).find((start) => problem.startsWith(start))
    const field = alias === undefined ? names.find((name) => isAbout(problem, name)) : aliases[alias]
    if (field === undefined) general.push(sentence(problem))
    else (byField[field] ??= []).push(sentence(alias === undefined ? problem.slice(field.length + 1) : problem))
  }
  const isOfFields = failure.status === 400 && general.length === 0
  return { title: isOfFields ? 'Please check these fields' : failure.message, byField, general }
}

const isAbout = (problem: string, field: string) => problem.startsWith(`${field}: `) || problem.startsWith(`${field}.`)

function sentence(text: string): string {
  const trimmed = text.trim()
  const first = trimmed.charAt(0).toUpperCase()
  return `${first}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

/** Parses a number with a decimal point or comma. A number field would drop the comma in some languages. */
export function readDecimal(text: string): number {
  return /^[+-]?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN
}

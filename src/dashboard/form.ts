import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type { z } from 'zod'
import { ApiError } from '../http/errors.ts'
import { rejectInvalid } from '../http/validation.ts'

/** The largest form holds 50 attributes of 64 + 512 characters; encoding makes nine bytes of one at the worst. */
const maxFormBytes = 512 * 1024

export type FormValues = Readonly<Record<string, string>>

const limit = bodyLimit({
  maxSize: maxFormBytes,
  onError: () => {
    throw new ApiError(413, 'Form too large', ['Send less in one go.'])
  },
})

/** Lets forms through. Anything else could come from a foreign page past the guard, which looks at forms only. */
export const formBody = createMiddleware(async (c, next) => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new ApiError(415, 'Unsupported form', ['Send the form from its page.'])
  return await limit(c, next)
})

/** The fields of a form as text; line ends are those of the rest of the world. */
export async function readForm(c: Context): Promise<FormValues> {
  const body = await c.req.parseBody()
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]))
}

/** Parses as the API does: the same schemas, the same problems. */
export function parseFields<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  rejectInvalid(result)
  return result.data as z.infer<T>
}

export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiError }

/**
 * Runs what a form asks for. A refusal that its sender can mend is a value, to be shown in the form; its headers
 * (`Retry-After` and the like) go with the answer.
 */
export async function attempt<T>(c: Context, act: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return { ok: false, failure: error }
  }
}

import type { z } from '@hono/zod-openapi'
import { boundText } from '../bounds/bound-text.ts'
import { ApiError } from './errors.ts'

/** A key that a client made up may have any length. */
const maxShownKey = 64

const pathOf = ({ path }: z.core.$ZodIssue) =>
  path.map((key) => boundText(String(key), maxShownKey)).join('.') || 'body'

/** Every problem after the path of its field: `settings.timezone: must be an IANA time zone`. */
export const toProblems = (error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => `${pathOf(issue)}: ${issue.message}`)

type ValidationResult = { success: true } | { success: false; error: z.core.$ZodError }

export function rejectInvalid(result: ValidationResult): void {
  if (!result.success) throw new ApiError(400, 'Invalid request', toProblems(result.error))
}

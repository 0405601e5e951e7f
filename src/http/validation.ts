import type { z } from '@hono/zod-openapi'
import { ApiError } from './errors.ts'

/** Every problem after the path of its field: `settings.timezone: must be an IANA time zone`. */
export const toProblems = (error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)

type ValidationResult = { success: true } | { success: false; error: z.core.$ZodError }

export function rejectInvalid(result: ValidationResult): void {
  if (!result.success) throw new ApiError(400, 'Invalid request', toProblems(result.error))
}

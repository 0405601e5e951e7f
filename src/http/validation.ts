import type { z } from '@hono/zod-openapi'
import { ApiError } from './errors.ts'

/** Every problem with the field's path before it: `settings.timezone: must be an IANA time zone`. */
export function describeProblems(error: z.core.$ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join('.') || 'body'
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${[...issue.path, key].join('.')}: unknown field`)
    return [`${field}: ${issue.message}`]
  })
}

type ValidationResult = { success: true } | { success: false; error: z.core.$ZodError }

export function rejectInvalid(result: ValidationResult): void {
  if (!result.success) throw new ApiError(400, 'Invalid request', describeProblems(result.error))
}

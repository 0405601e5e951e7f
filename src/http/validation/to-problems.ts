import { z } from '@hono/zod-openapi'
import { boundName } from '../../bounds/bound-text.ts'
import { invalidBody } from '../common-errors.ts'
import { fieldSentences } from './field-sentences.ts'

type Issue = z.core.$ZodRawIssue

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** A problem in plain words, after the name of its field; for schemas that say nothing of their own. */
function inPlainWords(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return fieldSentences.required()
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return fieldSentences.empty()
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${units[issue.origin] ?? ''}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'must have another key'
  return undefined
}

z.config({ customError: inPlainWords })

/** The name of the field that an issue is about. */
export const pathOf = ({ path }: z.core.$ZodIssue) => path.map((key) => boundName(String(key))).join('.') || 'body'

/** Every problem after the path of its field: `settings.timezone: must be an IANA time zone`. */
export const toProblems = (error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => `${pathOf(issue)}: ${issue.message}`)

export type ValidationResult = { success: true } | { success: false; error: z.core.$ZodError }

/** Throws 400 for values that a schema refuses. */
export function rejectInvalid(result: ValidationResult): void {
  if (!result.success) throw invalidBody(toProblems(result.error))
}

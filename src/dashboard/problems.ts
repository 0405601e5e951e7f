import type { ApiError } from '../http/errors.ts'

/** The problems of a form, by field where possible. */
export interface Problems {
  readonly title: string
  readonly byField: Readonly<Record<string, readonly string[]>>
  readonly general: readonly string[]
}

/**
 * Assigns the API's problems (`field: problem`, `field.part: problem`) to the form's fields. `aliases` maps the
 * beginning of a problem that names no field to a field.
 */
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

/** `must not be empty` to `Must not be empty.` */
function sentence(text: string): string {
  const trimmed = text.trim()
  const first = trimmed.charAt(0).toUpperCase()
  return `${first}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

import type { ApiError } from '../http/errors.ts'

/** The problems of a form: each at its field, the rest above it. */
export interface Problems {
  readonly title: string
  readonly byField: Readonly<Record<string, readonly string[]>>
  readonly general: readonly string[]
}

/**
 * Sorts what the API would answer (`field: problem`, `field.part: problem`) to the form's fields. `aliases` are
 * sentences that name no field, by how they begin.
 */
export function problemsOf(
  failure: ApiError,
  fields: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Problems {
  const byField: Record<string, string[]> = {}
  const general: string[] = []
  // Longer names first: `attribute.Brand` before `attribute`.
  const names = [...fields].sort((a, b) => b.length - a.length)
  for (const problem of failure.problems) {
    const alias = Object.keys(aliases).find((start) => problem.startsWith(start))
    const field = alias === undefined ? names.find((name) => isAbout(problem, name)) : aliases[alias]
    if (field === undefined) general.push(sentence(problem))
    else (byField[field] ??= []).push(sentence(alias === undefined ? problem.slice(field.length + 1) : problem))
  }
  const isOfFields = failure.status === 400 && general.length === 0
  return { title: isOfFields ? 'Please look at this again' : failure.message, byField, general }
}

const isAbout = (problem: string, field: string) => problem.startsWith(`${field}: `) || problem.startsWith(`${field}.`)

/** `must not be empty` to `Must not be empty.` */
function sentence(text: string): string {
  const trimmed = text.trim()
  const first = trimmed.charAt(0).toUpperCase()
  return `${first}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

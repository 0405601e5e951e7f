import type { FormValues } from '../form.ts'

/** What another person has changed since the form was opened. */
export interface OtherChange {
  /** The field's name. */
  readonly name: string
  /** Empty where a correction was removed. */
  readonly value: string
}

/** The values that a form was opened with, as one hidden field of it. */
export const formatBase = (values: FormValues): string => new URLSearchParams({ ...values }).toString()

/**
 * Compares the corrections that a form was opened with (`base`) with the present ones (`current`). Fields that the
 * person did not change take the present value, so that saving again undoes nothing. Fields that they changed keep
 * their input.
 */
export function mergeStale(base: string, current: FormValues, given: FormValues) {
  const opened: FormValues = Object.fromEntries(new URLSearchParams(base))
  const names = new Set([...Object.keys(opened), ...Object.keys(current)])
  const changes: OtherChange[] = [...names]
    .filter((name) => (opened[name] ?? '') !== (current[name] ?? ''))
    .map((name) => ({ name, value: current[name] ?? '' }))
  const untouched = changes.filter(({ name }) => (given[name] ?? '').trim() === (opened[name] ?? ''))
  return { changes, values: { ...given, ...Object.fromEntries(untouched.map(({ name, value }) => [name, value])) } }
}

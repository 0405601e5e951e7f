import type { FormValues } from '../form.ts'

/** Larger forms are not kept, because their text grows when it is embedded in the sign-in form. */
const maxLength = 32 * 1024

/** Never sent back to a page, even if the rest of their form is kept. */
const secretFields = new Set(['password', 'new_password', 'confirmation', 'secret'])

/**
 * Serializes the fields of a form that was submitted after the session had ended, for the sign-in form. Undefined if
 * they are too long.
 */
export function keepForm(values: FormValues): string | undefined {
  const kept = new URLSearchParams(Object.entries(values).filter(([name]) => !secretFields.has(name))).toString()
  return kept.length > maxLength ? undefined : kept
}

export const readKeptForm = (kept: string): FormValues => Object.fromEntries(new URLSearchParams(kept))

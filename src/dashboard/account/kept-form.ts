import type { FormValues } from '../form.ts'

/** Larger forms are not kept: inside the form of the sign-in page their text grows. */
const maxLength = 32 * 1024

/** Never sent back to a page, also where the form that asked for them is kept. */
const secretFields = new Set(['password', 'new_password', 'confirmation', 'secret'])

/**
 * The fields of a form whose session had ended, as one text for the sign-in form; undefined where they are too long.
 */
export function keepForm(values: FormValues): string | undefined {
  const kept = new URLSearchParams(Object.entries(values).filter(([name]) => !secretFields.has(name))).toString()
  return kept.length > maxLength ? undefined : kept
}

export const readKeptForm = (kept: string): FormValues => Object.fromEntries(new URLSearchParams(kept))

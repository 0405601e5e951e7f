/** In lower case, or null if it is not 1 to 253 letters, digits, `.`, `_` and `-`, a letter or digit at both ends. */
export function normalizeDomain(text: string): string | null {
  return /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text) ? text.toLowerCase() : null
}

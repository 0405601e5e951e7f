/** In lower case, or null if it is not 1 to 253 letters, digits, `.`, `_` and `-`, a letter or digit at both ends. */
export function normalizeDomain(text: string): string | null {
  return /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text) ? text.toLowerCase() : null
}

/** A domain for a tenant that needs none of its own, from its name and the beginning of a new id. */
export function inventDomain(name: string, id: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${letters.replaceAll(/^-|-$/g, '') || 'shop'}-${id.slice(0, 8)}`
}

/** Letters that Unicode does not decompose into a base and an accent. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

/** FNV-1a of 32 bits, as eight hexadecimal digits. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

/**
 * A handle of lower-case letters, digits and single hyphens. A uuid that had to be changed gets a fingerprint at its
 * end, so that `A 1` and `a-1` stay two products.
 */
export function toHandle(uuid: string): string {
  const slug = uuid
    .toLowerCase()
    .replaceAll(/[^\0-\x7f]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (slug === uuid) return slug
  return slug === '' ? fingerprint(uuid) : `${slug}-${fingerprint(uuid)}`
}

/** At most `maxLength` characters; a longer one is cut and ends in a fingerprint of the full text. */
export const shortId = (id: string, maxLength: number): string =>
  id.length <= maxLength ? id : `${id.slice(0, maxLength - 9)}-${fingerprint(id)}`

/** Cuts a text at a space, so that it has at most `maxLength` characters. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength + 1)
  const end = cut.lastIndexOf(' ')
  return cut
    .slice(0, end > maxLength / 2 ? end : maxLength)
    .replace(/[\s,;–-]+$/, '')
    .toWellFormed()
}

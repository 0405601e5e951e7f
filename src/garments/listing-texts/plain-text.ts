/** Computes the 32-bit FNV-1a hash as eight hexadecimal digits. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

/** Converts a description's HTML, as shops store it, to plain text. */
export const withoutHtml = (html: string): string =>
  html
    .replaceAll(/<br ?\/?>|<\/(?:p|li|div|h\d)>/gi, '\n')
    .replaceAll(/<[a-z/!][^>]*>/gi, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Identifies the words of a text, however a shop has changed its HTML and blanks. */
export const fingerprintWords = (text: string): string => fingerprint(withoutHtml(text).replaceAll(/\s+/g, ' ').trim())

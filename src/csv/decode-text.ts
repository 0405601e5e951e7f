/** The text of a file: UTF-16, UTF-8, or else Windows-1252, as spreadsheets save it. */
export function decodeText(bytes: Uint8Array): string {
  const [first = 1, second = 1] = bytes
  // Without a mark, the first letter of a column's name or the bracket of JSON shows by its empty byte.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the text of a file for an import, or why it cannot be read. */
export function readTextFile(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  const problem = binaryFileProblem(bytes)
  if (problem !== null) return { problem }
  const text = decodeText(bytes)
  return text === null ? { problem: brokenCharacters } : { text }
}

const brokenCharacters =
  'this text has broken characters: it is not entirely UTF-8, UTF-16 or Windows-1252. Save it again as “CSV UTF-8”'

/** Decodes UTF-16, UTF-8, or else Windows-1252. Returns null for broken characters. */
function decodeText(bytes: Uint8Array): string | null {
  const [first = 1, second = 1] = bytes
  // Without a byte order mark, the zero byte of the first ASCII character shows the order.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return decode('utf-16le', bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return decode('utf-16be', bytes)
  return decode('utf-8', bytes) ?? (isMostlyUtf8(bytes) ? null : decode('windows-1252', bytes))
}

function decode(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** Whether most non-ASCII characters are valid UTF-8. Such a file is broken UTF-8 rather than Windows-1252. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [whole, broken] = [0, 0]
  for (const character of new TextDecoder('utf-8').decode(bytes)) {
    if (character === '\ufffd') broken++
    else if (character > '\u007f') whole++
  }
  return whole > broken
}

const zip = [0x50, 0x4b, 0x03, 0x04]
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0]

const pictures = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
  [0x52, 0x49, 0x46, 0x46],
  [0x25, 0x50, 0x44, 0x46],
]

/** Returns advice for a spreadsheet (.xlsx, .ods, .xls), a picture or a PDF, else null. */
function binaryFileProblem(bytes: Uint8Array): string | null {
  const startsWith = (signature: readonly number[]) => signature.every((byte, i) => bytes[i] === byte)
  if (startsWith(zip) || startsWith(compoundFile))
    return (
      'this is a spreadsheet (such as .xlsx), not a CSV file; in Excel choose File, Save As, and the type ' +
      '“CSV UTF-8 (Comma delimited)”, then import the new file'
    )
  return pictures.some(startsWith)
    ? 'this is a picture or a PDF, not a CSV file; a CSV file has a line for each garment with the address of its picture'
    : null
}

const zip = [0x50, 0x4b, 0x03, 0x04]
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0]

/** What to tell whoever sends a spreadsheet's own file (.xlsx, .ods, .xls) for a CSV file; null for any other file. */
export function spreadsheetProblem(bytes: Uint8Array): string | null {
  const startsWith = (signature: readonly number[]) => signature.every((byte, i) => bytes[i] === byte)
  return startsWith(zip) || startsWith(compoundFile)
    ? 'this is a spreadsheet (such as .xlsx), not a CSV file; in Excel choose File, Save As, and the type ' +
        '“CSV UTF-8 (Comma delimited)”, then import the new file'
    : null
}

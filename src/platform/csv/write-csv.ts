/** Spreadsheets run text after these signs as a formula, in East Asian settings also after full-width signs. */
const signs = '=+\\-@\uff1d\uff0b\uff0d\uff20'

/** Matches where a spreadsheet may split a cell into several cells. */
const start = '(^|[;\\t\\r\\n])([ "]*)'

/** Matches white space at the start of a cell, which some spreadsheets drop. */
const startsBlank = /^'*[\t\r\n]/
const startsEscapedBlank = /^'+[\t\r\n]/

const formulas = new RegExp(`${start}('*[${signs}])`, 'g')
const escapedFormulas = new RegExp(`${start}'('*[${signs}])`, 'g')

/** Puts an apostrophe before everything in a cell that a spreadsheet might run as a formula. */
export function escapeFormula(text: string): string {
  const escaped = text.replace(formulas, "$1$2'$3")
  return startsBlank.test(text) ? `'${escaped}` : escaped
}

export function unescapeFormula(text: string): string {
  const whole = startsEscapedBlank.test(text) ? text.slice(1) : text
  return whole.replace(escapedFormulas, '$1$2$3')
}

/** Writes a row (RFC 4180) in which spreadsheets find no formulas. */
export const writeRow = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`

const writeCell = (text: string): string => quoteCell(escapeFormula(text))

/** Writes a row without the apostrophes, which a shop's import would show to buyers. */
export const writeUnguardedRow = (cells: readonly string[]): string => `${cells.map(quoteCell).join(',')}\r\n`

const quoteCell = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

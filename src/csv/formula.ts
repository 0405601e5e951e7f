/**
 * Spreadsheets run text as a formula that begins with one of these signs; the full-width ones too, in East Asian
 * settings. An apostrophe before the sign makes it text.
 */
const signs = '=+\\-@\uff1d\uff0b\uff0d\uff20'

/** A spreadsheet may split a cell here, so each part may be taken for a cell of its own. */
const parts = /[^;\t\r\n]+/g

/** White space at the start of a cell, which some spreadsheets drop. */
const startsBlank = /^'*[\t\r\n]/
const startsEscapedBlank = /^'+[\t\r\n]/

const formula = new RegExp(`^([ "]*)('*[${signs}])`)
const escapedFormula = new RegExp(`^([ "]*)'('*[${signs}])`)

/** Puts an apostrophe before everything in a cell that a spreadsheet might run as a formula. */
export function escapeFormula(text: string): string {
  const escaped = text.replace(parts, (part) => part.replace(formula, "$1'$2"))
  return startsBlank.test(text) ? `'${escaped}` : escaped
}

/** The text as it was before `escapeFormula`. */
export function unescapeFormula(text: string): string {
  const whole = startsEscapedBlank.test(text) ? text.slice(1) : text
  return whole.replace(parts, (part) => part.replace(escapedFormula, '$1$2'))
}

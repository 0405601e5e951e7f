/** Spreadsheets run text that begins so as a formula; an apostrophe before it makes it text. */
const escapable = /^'*[=+\-@\t\r]/
const escaped = /^'+[=+\-@\t\r]/

export const escapeFormula = (text: string): string => (escapable.test(text) ? `'${text}` : text)

/** The text as it was before `escapeFormula`. */
export const unescapeFormula = (text: string): string => (escaped.test(text) ? text.slice(1) : text)

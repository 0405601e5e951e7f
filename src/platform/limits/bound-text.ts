/**
 * The one way to shorten text from outside before it is stored or answered: at most `maxLength` UTF-16 code units,
 * well-formed, with `…` in place of what was cut off.
 */
export function boundText(text: string, maxLength: number): string {
  const isShort = text.length <= maxLength
  return (isShort ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`).toWellFormed()
}

const maxShownName = 64
const maxShownPath = 200

/** A name that a client made up, such as a field's or a column's, in a message: it may have any length. */
export const boundName = (name: string) => boundText(name, maxShownName)

/** The path of a request, in a message or a log. */
export const boundPath = (path: string) => boundText(path, maxShownPath)

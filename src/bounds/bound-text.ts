/**
 * The one way to shorten text from outside before it is stored or answered: at most `maxLength` UTF-16 code units,
 * well-formed, with `…` in place of what was cut off.
 */
export function boundText(text: string, maxLength: number): string {
  const isShort = text.length <= maxLength
  return (isShort ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`).toWellFormed()
}

/** Shortens text from outside to at most `maxLength` UTF-16 code units, well-formed, with `…` at the cut. */
export function boundText(text: string, maxLength: number): string {
  const isShort = text.length <= maxLength
  return (isShort ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`).toWellFormed()
}

const maxShownName = 64
const maxShownPath = 200

/** Shortens a client's name, such as a field or column, for a message. */
export const boundName = (name: string) => boundText(name, maxShownName)

export const boundPath = (path: string) => boundText(path, maxShownPath)

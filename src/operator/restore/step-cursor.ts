/** The position of work in several consecutive parts. Its cursor is `part:at`. */
export interface Position<T extends string> {
  readonly part: T
  /** Within the part; empty at its beginning. */
  readonly at: string
}

/** Null for a cursor that is not one of ours. */
export function parseCursor<T extends string>(
  parts: readonly [T, ...T[]],
  cursor: string | undefined,
): Position<T> | null {
  if (cursor === undefined) return { part: parts[0], at: '' }
  const [name = '', ...at] = cursor.split(':')
  const part = parts.find((each) => each === name)
  return part === undefined ? null : { part, at: at.join(':') }
}

/**
 * The cursor after a step; null after the last one.
 * @param rest where in the part to go on; undefined at its end
 */
export function nextCursor<T extends string>(parts: readonly T[], part: T, rest: string | undefined): string | null {
  const next = parts[parts.indexOf(part) + 1]
  if (rest !== undefined) return `${part}:${rest}`
  return next === undefined ? null : `${next}:`
}

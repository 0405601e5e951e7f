const encoder = new TextEncoder()

interface Surroundings {
  readonly start: string
  readonly separator: string
  readonly end: string
}

/** Rows that are UTF-8 already, and texts around them, as one body: only the texts are encoded. */
export function joinRows(
  rows: readonly Uint8Array[],
  { start, separator, end }: Surroundings,
): Uint8Array<ArrayBuffer> {
  const between = encoder.encode(separator)
  const pieces = [encoder.encode(start), ...rows.flatMap((row, index) => (index === 0 ? [row] : [between, row]))]
  pieces.push(encoder.encode(end))
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return body
}

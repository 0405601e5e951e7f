/**
 * Adam7 interlacing (section 8.2): the first pixel of each of the seven passes, and the distances between its pixels.
 */
export const interlacedPasses = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
] as const

/** The single pass of a file without interlacing. */
export const wholePicture = [{ x: 0, y: 0, dx: 1, dy: 1 }] as const

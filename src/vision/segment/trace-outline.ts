import type { Point } from '../picture.ts'
import { signedArea } from '../geometry.ts'

/** Traces where coverage is one half by marching squares, longest line first, with the garment on each line's left. */
export function traceOutlines(coverage: Uint8Array, width: number, height: number): Point[][] {
  const at = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : coverage[y * width + x]!)
  // The corners of cell (x, y) are the pixel centres x-1, x and y-1, y. Each side is entered at most once.
  const visited = new Uint8Array((width + 1) * (height + 1))
  const outlines: Point[][] = []
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      // Skips cells that are wholly inside or outside.
      if (x > 0 && x < width && y > 0 && y < height && isEven(coverage, y * width + x, width)) continue
      if (visited[y * (width + 1) + x] === 1) continue
      const cell = cellOf(at, x, y)
      if (cell === 0 || cell === 15) continue
      const line = follow(at, x, y, visited, width)
      if (line.length >= minPoints) outlines.push(line)
    }
  }
  return outlines.sort((a, b) => b.length - a.length)
}

export function sortOutlines(lines: readonly (readonly Point[])[]) {
  return {
    outlines: lines.filter((line) => signedArea(line) < 0),
    holes: lines.filter((line) => signedArea(line) > 0),
  }
}

function isEven(coverage: Uint8Array, index: number, width: number): boolean {
  const isInside = coverage[index]! > 127
  return (
    coverage[index - 1]! > 127 === isInside &&
    coverage[index - width]! > 127 === isInside &&
    coverage[index - width - 1]! > 127 === isInside
  )
}

const minPoints = 24

type At = (x: number, y: number) => number

function cellOf(at: At, x: number, y: number): number {
  return (
    (at(x - 1, y - 1) > 127 ? 1 : 0) |
    (at(x, y - 1) > 127 ? 2 : 0) |
    (at(x, y) > 127 ? 4 : 0) |
    (at(x - 1, y) > 127 ? 8 : 0)
  )
}

function follow(at: At, startX: number, startY: number, visited: Uint8Array, width: number): Point[] {
  const line: Point[] = []
  let x = startX
  let y = startY
  let from = -1
  for (let step = 0; step < visited.length * 2; step++) {
    const cell = cellOf(at, x, y)
    visited[y * (width + 1) + x] = 1
    const exit = exitOf(cell, from)
    line.push(crossing(at, x, y, exit))
    if (exit === 0) y--
    else if (exit === 1) x++
    else if (exit === 2) y++
    else x--
    from = (exit + 2) % 4
    if (x === startX && y === startY) break
  }
  return line
}

/** Returns a cell's exit side: 0 top, 1 right, 2 bottom, 3 left. Covered corners stay on the left. */
function exitOf(cell: number, from: number): number {
  const exits = [-1, 0, 1, 1, 2, -1, 2, 2, 3, 0, -1, 1, 3, 0, 3, -1]
  if (cell === 5) return from === 3 ? 2 : 0
  if (cell === 10) return from === 0 ? 3 : 1
  return exits[cell]!
}

function crossing(at: At, x: number, y: number, side: number): Point {
  const share = (a: number, b: number) => (a === b ? 0.5 : Math.max(0, Math.min(1, (127.5 - a) / (b - a))))
  if (side === 0) return [x - 1 + share(at(x - 1, y - 1), at(x, y - 1)), y - 1]
  if (side === 1) return [x, y - 1 + share(at(x, y - 1), at(x, y))]
  if (side === 2) return [x - 1 + share(at(x - 1, y), at(x, y)), y]
  return [x - 1, y - 1 + share(at(x - 1, y - 1), at(x - 1, y))]
}

import type { Picture } from '../picture.ts'
import { cellsOfMarker, markers, type Quad } from './card-layout.ts'
import { levelAt } from './level-at.ts'
import { fitHomography, project } from './homography.ts'

/** Levels by which the white around a marker must exceed its black frame. */
const minContrast = 14

/** Cells of the frame that may be white, under a spot or the edge of a shadow. */
const maxFrameErrors = 2

/** Bits of a code that may be wrong; codes differ by 6. */
const maxBitErrors = 1

/** A square from -0.5 to 0.5, clockwise from the upper left. */
const unitSquare: Quad = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
]

interface Sample {
  readonly column: number
  readonly row: number
  readonly level: number
}

/** The index of the marker with these corners, and the marker's own corners clockwise from its upper left. */
export interface ReadMarker {
  readonly index: number
  readonly corners: Quad
}

/** Reads the marker in a quadrilateral, in any rotation; `undefined` if it is none of the card. */
export function readMarker(picture: Picture, quad: Quad): ReadMarker | undefined {
  const map = fitHomography(unitSquare, quad)
  if (map === undefined) return undefined
  const cell = (column: number, row: number): Sample => ({
    column,
    row,
    level: levelOf(picture, map, column, row),
  })
  const frame: Sample[] = []
  const white: Sample[] = []
  const last = cellsOfMarker - 1
  for (let step = 0; step < last; step++) {
    frame.push(cell(step, 0), cell(last, step), cell(last - step, last), cell(0, last - step))
    // Nearer than a whole cell, because the paper may end soon.
    white.push(cell(step, -1.1), cell(last + 1.1, step), cell(last - step, last + 1.1), cell(-1.1, last - step))
  }
  if (mean(white) - mean(frame) < minContrast) return undefined
  // Each cell is compared with the frame and the paper near it, because a part may lie in shade.
  const isWhite = ({ column, row, level }: Sample, others: readonly Sample[]) =>
    level * 2 > nearby(white, column, row) + nearby(others, column, row)
  const errors = frame.filter((sample) =>
    isWhite(
      sample,
      frame.filter((other) => other !== sample),
    ),
  ).length
  if (errors > maxFrameErrors) return undefined
  let code = 0
  for (let row = 1; row < last; row++)
    for (let column = 1; column < last; column++) code = (code << 1) | (isWhite(cell(column, row), frame) ? 1 : 0)
  for (let turn = 0; turn < 4; turn++, code = turnCode(code)) {
    const index = markers.findIndex((marker) => countBits(marker.code ^ code) <= maxBitErrors)
    if (index !== -1) return { index, corners: turnQuad(quad, turn) }
  }
  return undefined
}

/** Mean level of five places in a cell. */
function levelOf(picture: Picture, map: readonly number[], column: number, row: number): number {
  const at = (x: number, y: number) =>
    levelAt(picture, project(map, [(column + 0.5 + x) / cellsOfMarker - 0.5, (row + 0.5 + y) / cellsOfMarker - 0.5]))
  return (at(0, 0) + at(-0.2, -0.2) + at(0.2, -0.2) + at(-0.2, 0.2) + at(0.2, 0.2)) / 5
}

const mean = (samples: readonly Sample[]) => samples.reduce((sum, { level }) => sum + level, 0) / samples.length

/** Mean level, weighted by nearness. */
function nearby(samples: readonly Sample[], column: number, row: number): number {
  let sum = 0
  let weights = 0
  for (const sample of samples) {
    const weight = 1 / ((sample.column - column) ** 2 + (sample.row - row) ** 2)
    sum += sample.level * weight
    weights += weight
  }
  return sum / weights
}

/** The code of a marker that lies turned by a quarter, counterclockwise. */
function turnCode(code: number): number {
  let turned = 0
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) turned = (turned << 1) | ((code >> (15 - (column * 4 + 3 - row))) & 1)
  return turned
}

/** The corner that is the upper left once the code has been turned so often, first. */
const turnQuad = (quad: Quad, turns: number): Quad => [
  quad[turns % 4]!,
  quad[(turns + 1) % 4]!,
  quad[(turns + 2) % 4]!,
  quad[(turns + 3) % 4]!,
]

function countBits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}

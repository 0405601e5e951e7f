import { cellsOfMarker, markers, markerSide } from '../../../src/vision/card/card-layout.ts'

/** A black box on the card, in centimetres from the middle of the page. */
interface InkedBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The ruler between the columns of markers, with centimetres on its left and inches on its right. */
export const ruler = { left: 0, top: -11.8, centimetres: 15, inches: 6, cmPerInch: 2.54 }

const stroke = 0.03

/** Everything printed except text. */
export const inkedBoxes: readonly InkedBox[] = [...markers.flatMap(boxesOf), ...rulerBoxes()]

/**
 * Returns a marker's frame and its black cells. Cells of a row form one box, so that no white gaps appear between them.
 */
function boxesOf({ code, left, top }: (typeof markers)[number]): InkedBox[] {
  const cell = markerSide / cellsOfMarker
  const isBlack = (column: number, row: number) => {
    const inner = column >= 1 && row >= 1 && column < cellsOfMarker - 1 && row < cellsOfMarker - 1
    return !inner || ((code >> (15 - ((row - 1) * 4 + column - 1))) & 1) === 0
  }
  return Array.from({ length: cellsOfMarker }, (_, row) => row).flatMap((row) => {
    const runs: InkedBox[] = []
    for (let column = 0; column < cellsOfMarker; column++) {
      const first = column
      while (column < cellsOfMarker && isBlack(column, row)) column++
      if (column > first)
        runs.push({ left: left + first * cell, top: top + row * cell, width: (column - first) * cell, height: cell })
    }
    return runs
  })
}

function rulerBoxes(): InkedBox[] {
  const { left, top, centimetres, inches, cmPerInch } = ruler
  const ticks = (count: number, apart: number, side: -1 | 1) =>
    Array.from({ length: count * 2 + 1 }, (_, half) => {
      const width = half % 2 === 0 ? 0.6 : 0.35
      return {
        left: side === 1 ? left : left - width,
        top: top + (half / 2) * apart - stroke / 2,
        width,
        height: stroke,
      }
    })
  const line = { left: left - stroke / 2, top, width: stroke, height: inches * cmPerInch }
  return [line, ...ticks(centimetres, 1, -1), ...ticks(inches, cmPerInch, 1)]
}

import { describe, expect, it } from 'vitest'
import { type Box, placeLabel } from '../../../src/vision/annotate/place-label.ts'

const [WIDTH, HEIGHT] = [200, 160]

/** Distance from a 50 x 14 label to the nearest edge of the picture; negative where it sticks out. */
const insetOf = (box: Box) => Math.min(box.left, box.top, WIDTH - box.left - 50, HEIGHT - box.top - 14)

/** The gap between two boxes along the axis where they are further apart; negative where they overlap. */
function gapBetween(a: Box, b: Box): number {
  const across = Math.max(a.left - b.left - b.width, b.left - a.left - a.width)
  return Math.max(across, a.top - b.top - b.height, b.top - a.top - a.height)
}

describe('placeLabel', () => {
  it('is centred on its anchor where that is free', () => {
    expect(placeLabel([100, 80], 40, 12, [], WIDTH, HEIGHT)).toEqual({ left: 80, top: 74, width: 40, height: 12 })
  })

  it('lies inside the picture and off every other label, wherever in the picture the anchor is', () => {
    for (let x = 0; x <= WIDTH; x += 20) {
      for (let y = 0; y <= HEIGHT; y += 16) {
        const taken: Box[] = [{ left: 4, top: 4, width: 110, height: 16 }]
        for (let count = 0; count < 4; count++) {
          const box = placeLabel([x, y], 50, 14, taken, WIDTH, HEIGHT)
          expect(insetOf(box)).toBeGreaterThanOrEqual(2)
          const gaps = taken.map((other) => gapBetween(box, other))
          expect(Math.min(...gaps), `at ${x}, ${y}`).toBeGreaterThanOrEqual(3)
          taken.push(box)
        }
      }
    }
  })

  it('lies inside the picture even where its anchor does not', () => {
    for (const anchor of [
      [-90, -90],
      [300, 80],
      [100, 400],
      [290, -60],
    ] as const)
      // prettier-ignore
      expect(insetOf(placeLabel(anchor, 50, 14, [], WIDTH, HEIGHT))).toBe(2)
  })

  it('keeps labels apart whose anchors lie far outside of the picture', () => {
    const taken: Box[] = []
    for (let count = 0; count < 4; count++) taken.push(placeLabel([900, 80], 50, 14, taken, WIDTH, HEIGHT))
    const gaps = taken.flatMap((box, index) => taken.slice(index + 1).map((other) => gapBetween(box, other)))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3)
  })
})

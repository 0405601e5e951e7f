import { describe, expect, it } from 'vitest'
import { type LabelBox, placeLabel } from '../../../src/vision/annotate/annotate-picture.ts'

const [pictureWidth, pictureHeight] = [200, 160]

/** Distance from a 50 x 14 label to the nearest edge of the picture; negative where it sticks out. */
const insetOf = (box: LabelBox) =>
  Math.min(box.left, box.top, pictureWidth - box.left - 50, pictureHeight - box.top - 14)

/** The gap between two boxes along the axis where they are further apart; negative where they overlap. */
function gapBetween(a: LabelBox, b: LabelBox): number {
  const across = Math.max(a.left - b.left - b.width, b.left - a.left - a.width)
  return Math.max(across, a.top - b.top - b.height, b.top - a.top - a.height)
}

describe('placeLabel', () => {
  it('is centred on its anchor where that is free', () => {
    expect(placeLabel([[100, 80]], 40, 12, [], pictureWidth, pictureHeight)).toEqual({
      left: 80,
      top: 74,
      width: 40,
      height: 12,
    })
  })

  it('stays on its own line where the label of another one lies on the middle of it', () => {
    const taken = [{ left: 75, top: 70, width: 50, height: 14 }]
    const anchors = [[100, 77], [30, 77], [170, 77]] as const // prettier-ignore
    expect(placeLabel(anchors, 40, 12, taken, pictureWidth, pictureHeight)).toMatchObject({ left: 10, top: 71 })
  })

  it('lies inside the picture and off every other label, wherever in the picture the anchor is', () => {
    for (let x = 0; x <= pictureWidth; x += 20) {
      for (let y = 0; y <= pictureHeight; y += 16) {
        const taken: LabelBox[] = [{ left: 4, top: 4, width: 110, height: 16 }]
        for (let count = 0; count < 4; count++) {
          const box = placeLabel([[x, y]], 50, 14, taken, pictureWidth, pictureHeight)
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
      expect(insetOf(placeLabel([anchor], 50, 14, [], pictureWidth, pictureHeight))).toBe(2)
  })

  it('keeps labels apart whose anchors lie far outside of the picture', () => {
    const taken: LabelBox[] = []
    for (let count = 0; count < 4; count++)
      taken.push(placeLabel([[900, 80]], 50, 14, taken, pictureWidth, pictureHeight))
    const gaps = taken.flatMap((box, index) => taken.slice(index + 1).map((other) => gapBetween(box, other)))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3)
  })
})

import { describe, expect, it } from 'vitest'
import { coverCard } from '../../../src/vision/card/cover-card.ts'
import type { Picture } from '../../../src/vision/picture.ts'

/** Red to the left and blue to the right, with a white page on the border between them. */
function twoGrounds(): Picture {
  const data = new Uint8ClampedArray(100 * 60 * 4)
  for (let index = 0; index < 6000; index++) {
    const [x, y] = [index % 100, Math.floor(index / 100)]
    const isPage = x >= 40 && x < 60 && y >= 20 && y < 40
    data.set(isPage ? [255, 255, 255, 255] : x < 50 ? [200, 0, 0, 255] : [0, 0, 200, 255], index * 4)
  }
  return { width: 100, height: 60, data }
}

const page = [
  [40, 20],
  [59, 20],
  [59, 39],
  [40, 39],
] as const

const colourAt = ({ data }: Picture, x: number, y: number) => [
  ...data.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 3),
]

describe('coverCard', () => {
  it('paints over the page with what surrounds it, and returns a mask of it', () => {
    const before = twoGrounds()
    const { picture, covered } = coverCard(before, page)
    expect(Math.max(...colourAt(picture, 50, 30).slice(1, 2))).toBe(0)
    const [left, right] = [colourAt(picture, 41, 30), colourAt(picture, 58, 30)]
    expect(left[0]!).toBeGreaterThan(left[2]!)
    expect(right[2]!).toBeGreaterThan(right[0]!)
    expect(covered.data[30 * 100 + 50]).toBe(1)
    expect([covered.data[30 * 100 + 30], colourAt(picture, 30, 30)]).toEqual([0, [200, 0, 0]])
    expect(colourAt(before, 50, 30)).toEqual([255, 255, 255])
  })

  it('covers a page that crosses the edge of the picture, or fills all of it', () => {
    const reaching = coverCard(
      twoGrounds(),
      page.map(([x, y]) => [x - 45, y - 25] as const),
    )
    expect(colourAt(reaching.picture, 0, 0)).toEqual([200, 0, 0])
    const all = coverCard(
      twoGrounds(),
      page.map(([x, y]) => [(x - 50) * 20, (y - 30) * 20] as const),
    )
    expect(all.covered.data.every((value) => value === 1)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { findImageWarning, type Scene } from '../../../src/vision/attributes/find-image-warning.ts'

/** A rectangle of garment in a picture of 40 x 30 pixels. */
function scene(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { several = 0, cut = 0, hasSeveral = false } = {},
): Scene {
  const data = new Uint8Array(40 * 30)
  for (let y = top; y < bottom; y++) data.fill(1, y * 40 + left, y * 40 + right)
  return {
    hasSeveral,
    presence: [['None', 0], ['One', 1 - several], ['Several', several]], // prettier-ignore
    shown: [['Flat', 1 - cut], ['Cut', cut]], // prettier-ignore
    mask: { width: 40, height: 30, data },
  }
}

const INSIDE = [5, 5, 35, 25] as const

describe('findImageWarning', () => {
  it('has none about one whole garment, also where it touches the edge with a corner', () => {
    expect(findImageWarning(scene(INSIDE, { several: 0.1, cut: 0.1 }))).toBeUndefined()
    const hem = scene(INSIDE)
    for (let y = 25; y < 30; y++) hem.mask.data.fill(1, y * 40 + 5, y * 40 + 15)
    expect(findImageWarning(hem)).toBeUndefined()
  })

  it('doubts everything where several garments lie apart or seem to be there', () => {
    for (const doubtful of [{ hasSeveral: true }, { several: 0.3 }]) {
      const warning = findImageWarning(scene(INSIDE, doubtful))
      expect(warning?.sentence).toMatch(/several garments/)
      expect(warning?.trust).toBeLessThan(0.85)
    }
  })

  it('doubts everything about a detail', () => {
    expect(findImageWarning(scene(INSIDE, { cut: 0.3 }))).toEqual({
      sentence: 'The image seems to show only a part of the garment.',
      trust: 0.7,
    })
  })

  it.each([
    ['left', [0, 5, 30, 25]],
    ['upper', [5, 0, 35, 25]],
    ['right', [10, 5, 40, 25]],
    ['lower', [5, 5, 35, 30]],
  ] as const)('says that the garment reaches the %s edge, and trusts the tags', (_, box) => {
    const warning = findImageWarning(scene(box))
    expect(warning?.sentence).toMatch(/reaches the edge of the image/)
    expect(warning?.trust).toBe(1)
  })
})

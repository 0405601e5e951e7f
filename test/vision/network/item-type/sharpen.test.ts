import { describe, expect, it } from 'vitest'
import { sharpen } from '../../../../src/vision/network/item-type/sharpen.ts'

const levels = [
  77, 132, 168, 162, 157, 68, 92, 75, 123, 157, 117, 120, 143, 108, 160, 86, 72, 122, 63, 174, 166, 109, 115, 137, 157,
  158, 60, 149, 117, 94,
]

/** Of ImageMagick 6.9.11 with `-sharpen 1x1`. */
const sharpened = [
  65, 144, 186, 167, 177, 41, 84, 43, 116, 175, 114, 129, 170, 94, 183, 59, 41, 125, 14, 205, 192, 102, 118, 154, 171,
  178, 8, 174, 114, 81,
]

describe('sharpen', () => {
  it("gives ImageMagick's levels, edges included, but for its rounding", () => {
    const ours = sharpen(
      Float32Array.from(levels, (level) => level / 255),
      6,
      5,
    )
    sharpened.forEach((level, i) => expect(Math.abs(ours[i]! * 255 - level)).toBeLessThanOrEqual(1))
  })

  it('leaves a flat picture as it is', () => {
    sharpen(new Float32Array(12).fill(0.4), 4, 3).forEach((value) => expect(value).toBeCloseTo(0.4, 6))
  })
})

import { expect, test } from 'vitest'
import { averageMirrored, mirrorPixels } from '../../../src/vision/network/run-views.ts'

test('pixels keep their colours and rows, and change sides', () => {
  const pixels = Uint8Array.from({ length: 12 }, (_, i) => i)
  expect([...mirrorPixels(pixels, 2)]).toEqual([3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8])
  expect(mirrorPixels(mirrorPixels(pixels, 2), 2)).toEqual(pixels)
})

test('a map is averaged with that of the other side in the mirror', () => {
  const maps = (left: number[], right: number[], crotch: number[], presence: number) => ({
    side: 2,
    reach: 3,
    points: Object.entries({ hemLo: left, hemRo: right, crotch }).map(([name, logits]) => ({
      name,
      presence,
      logits: Float32Array.from(logits),
    })),
  })
  const seen = maps([8, 0, 0, 0], [0, 0, 0, 4], [0, 2, 0, 0], 0.5)
  const mirrored = maps([0, 0, 6, 0], [0, 10, 0, 0], [0, 2, 0, 0], 1)
  expect(averageMirrored(seen, mirrored)).toEqual(maps([9, 0, 0, 0], [0, 0, 0, 5], [1, 1, 0, 0], 0.75))
})

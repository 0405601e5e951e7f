import { beforeAll, describe, expect, it } from 'vitest'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { type TaggedPicture, tagPicture } from '../../src/vision/tag-picture.ts'
import type { FlatLayTruth } from '../../training/flat-lay/flat-lay.ts'
import { itemTypes } from '../../training/flat-lay/garments/sample-garment.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'

/** Development and training used seeds below 500,000. */
const firstSeed = 3_000_000
const count = 64

const results: { truth: FlatLayTruth; tagged: TaggedPicture | undefined }[] = []

beforeAll(async () => {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const itemType = itemTypes[seed % itemTypes.length]!
    const { picture, truth } = makeFlatLay(seed, { itemType, width: 300, height: 400, hook: false })
    const tagged = await tagPicture(encodeJpeg(picture, 88), {
      attribute: { Gender: truth.gender },
      cmPerPixel: truth.cmPerPixel,
    }).catch(() => undefined)
    results.push({ truth, tagged })
  }
})

function share(isRight: (truth: FlatLayTruth, tagged: TaggedPicture) => boolean): number {
  return results.filter(({ truth, tagged }) => tagged !== undefined && isRight(truth, tagged)).length / count
}

/** Absolute errors in cm of one measurement, where it was given. */
function errorsOf(name: string): number[] {
  return results.flatMap(({ truth, tagged }) => {
    const [drawn, measured] = [truth.measurements[name], tagged?.measurements[`${name} (cm)`]]
    return drawn === undefined || measured === undefined ? [] : [Math.abs(measured - drawn)]
  })
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Infinity

describe('64 drawn flat lays', () => {
  it('are all recognised as garments', () => {
    expect(share(() => true)).toBeGreaterThanOrEqual(0.95)
  })

  it('have the right item type', () => {
    expect(share((truth, { tag }) => tag['Item Type'] === truth.itemType)).toBeGreaterThanOrEqual(0.6)
  })

  it('have the right item type among value and alternatives', () => {
    const isAmong = (truth: FlatLayTruth, { tag }: TaggedPicture) =>
      [tag['Item Type'], ...(tag['Item Type Alternatives'] ?? [])].includes(truth.itemType)
    expect(share(isAmong)).toBeGreaterThanOrEqual(0.85)
  })

  it.each([
    ['Chest', 1, 20],
    ['Body Length', 1.5, 20],
    ['Hem', 1, 20],
    ['Shoulder', 2.5, 20],
    ['Waist', 1, 8],
    ['Hip', 1, 8],
    ['Inseam', 2, 5],
    ['Outseam', 2, 5],
    ['Front Rise', 2, 5],
    ['Leg Opening', 1, 5],
  ])('have a %s that is right to %d cm in the median, and given for at least %i', (name, limit, least) => {
    const errors = errorsOf(name)
    expect(errors.length).toBeGreaterThanOrEqual(least)
    expect(median(errors), errors.join(' ')).toBeLessThanOrEqual(limit)
  })
})

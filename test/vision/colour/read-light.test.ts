import { describe, expect, it } from 'vitest'
import {
  clusterColours,
  readLight,
  sampleCloth,
  underNeutralLight,
} from '../../../src/vision/colour/cluster-colours.ts'
import { findPlaces } from '../../../src/vision/colour/sample-colours.ts'
import { nameColour } from '../../../src/vision/colour/name-colour.ts'

type Rgb = readonly [number, number, number]

/** A square of cloth in the middle of a background. */
function lay(cloth: Rgb, background: Rgb) {
  const [width, height] = [60, 60]
  const mask = new Uint8Array(width * height)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let index = 0; index < mask.length; index++) {
    const inside = Math.abs((index % width) - 30) < 15 && Math.abs(Math.floor(index / width) - 30) < 15
    mask[index] = inside ? 1 : 0
    data.set([...(inside ? cloth : background), 255], index * 4)
  }
  return { picture: { width, height, data }, mask: { width, height, data: mask } }
}

const nameOf = ({ picture, mask }: ReturnType<typeof lay>) =>
  nameColour(clusterColours(sampleCloth(picture, findPlaces(mask), readLight(picture, mask).light))[0]!.lab)[0]?.name

describe('the light of a picture', () => {
  it('is read off a pale background, so that cloth under a warm lamp keeps its name', () => {
    const warm = (rgb: Rgb): Rgb => [rgb[0], rgb[1] * 0.96, rgb[2] * 0.88]
    const white: Rgb = [246, 246, 246]
    expect(nameOf(lay(white, [200, 200, 200]))).toBe('White')
    expect(nameOf(lay(warm(white), warm([235, 235, 235])))).toBe('White')
  })

  it('is treated as neutral where the background is coloured or dark', () => {
    for (const background of [
      [120, 160, 220],
      [40, 38, 30],
    ] as const) {
      const { picture, mask } = lay([200, 30, 42], background)
      expect(readLight(picture, mask).light).toEqual([1, 1, 1])
    }
  })

  it('is treated as neutral where there is no background', () => {
    const { picture, mask } = lay([200, 30, 42], [255, 255, 255])
    expect(readLight(picture, { ...mask, data: mask.data.fill(1) }).light).toEqual([1, 1, 1])
  })

  it('changes nothing where it is neutral, and turns the background itself grey', () => {
    expect(underNeutralLight([12, 130, 251], [1, 1, 1]).map(Math.round)).toEqual([12, 130, 251])
    const { picture, mask } = lay([200, 30, 42], [250, 240, 222])
    const [red, green, blue] = underNeutralLight([250, 240, 222], readLight(picture, mask).light)
    expect(green).toBeCloseTo(red, 3)
    expect(blue).toBeCloseTo(red, 3)
  })
})

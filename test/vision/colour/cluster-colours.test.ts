import { describe, expect, it } from 'vitest'
import { clusterColours as clusterCloth, readLight, sampleCloth } from '../../../src/vision/colour/cluster-colours.ts'
import { familyOf } from '../../../src/vision/colour/name-colour.ts'
import { colourFamilies } from '../../../src/vision/colour/colour-model.ts'
import { findPlaces } from '../../../src/vision/colour/sample-colours.ts'
import { rankColours } from '../../../src/vision/colour/rank-colours.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import type { Mask, Picture } from '../../../src/vision/picture.ts'

type Rgb = readonly [number, number, number]

const size = 60
const neutral: Rgb = [220, 220, 220]
const red: Rgb = [200, 30, 42]
const blue: Rgb = [44, 104, 190]

/** A square of cloth, 40 pixels wide, in the middle of a background. */
function paint(cloth: (x: number, y: number) => Rgb, background = neutral) {
  const data = new Uint8ClampedArray(size * size * 4)
  const mask = new Uint8Array(size * size)
  for (let index = 0; index < mask.length; index++) {
    const [x, y] = [index % size, Math.floor(index / size)]
    const inside = x >= 10 && x < 50 && y >= 10 && y < 50
    mask[index] = inside ? 1 : 0
    data.set([...(inside ? cloth(x, y) : background), 255], index * 4)
  }
  return [
    { width: size, height: size, data },
    { width: size, height: size, data: mask },
  ] as const
}

const clusterColours = (picture: Picture, mask: Mask) =>
  clusterCloth(sampleCloth(picture, findPlaces(mask), readLight(picture, mask).light))

const rounded = (clusters: ReturnType<typeof clusterColours>) => clusters.map(({ rgb }) => rgb.map(Math.round))

describe('clusterColours', () => {
  it('gives both colours of two-coloured cloth exactly, the larger first, with their shares', () => {
    const clusters = clusterColours(...paint((x) => (x < 39 ? red : blue)))
    expect(rounded(clusters)).toEqual([red, blue])
    // Without the margin of 2, columns 12 to 47 remain, of which 27 of 36 are red.
    expect(Math.abs((clusters[0]?.share ?? 0) - 27 / 36)).toBeLessThan(0.02)
    expect(clusters.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
  })

  it('joins the folds of one cloth, and keeps black and white apart', () => {
    const folds = clusterColours(...paint((x) => (x % 8 < 4 ? [120, 120, 120] : [140, 140, 140])))
    expect(folds.map(({ share }) => share)).toEqual([1])
    const stripes = clusterColours(...paint((x) => (x % 8 < 4 ? [24, 24, 24] : [246, 246, 246])))
    expect(stripes).toHaveLength(2)
    // 20 of the columns 12 to 47 are white.
    expect(Math.abs((stripes[0]?.share ?? 0) - 20 / 36)).toBeLessThan(0.03)
  })

  it('does not count a seam of background along the edge of the mask', () => {
    const seam = (at: number) => at < 12 || at >= 48
    expect(rounded(clusterColours(...paint((x, y) => (seam(x) || seam(y) ? blue : red))))).toEqual([red])
  })

  it('is empty where the mask is empty or too thin to have an inside', () => {
    const [picture, mask] = paint(() => red)
    const covering = (inside: (x: number) => boolean) => ({
      ...mask,
      data: mask.data.map((covered, index) => (inside(index % size) ? covered : 0)),
    })
    expect(
      clusterColours(
        picture,
        covering(() => false),
      ),
    ).toEqual([])
    expect(
      clusterColours(
        picture,
        covering((x) => x >= 20 && x < 24),
      ),
    ).toEqual([])
    expect(
      clusterColours(
        picture,
        covering((x) => x >= 20 && x < 25),
      ),
    ).toHaveLength(1)
  })
})

describe('rankColours', () => {
  const even = colourFamilies.map((family) => [family, 1 / colourFamilies.length] as const)

  it.each([
    ['#c81e2a', red],
    ['#2c68be', blue],
    ['#0c0c0d', [12, 12, 13]],
    ['#f8dc3c', [248, 220, 60]],
  ] as const)('gives plain cloth of %s in exactly this hex under neutral light', (hex, rgb) => {
    expect(rankColours(...paint(() => rgb), even).hex).toBe(hex)
  })

  it('keeps grey cloth grey under a warm lamp', () => {
    // The lamp dims green to 0.95 and blue to 0.82 of their linear light; an exponent of 2.4 is near enough to sRGB.
    const warm = (level: number): Rgb => [level, level * 0.95 ** (1 / 2.4), level * 0.82 ** (1 / 2.4)]
    const [picture, mask] = paint(() => warm(128), warm(230))
    const { ranked, hex } = rankColours(picture, mask, even)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThanOrEqual(4)
    expect(familyOf(ranked[0]?.value ?? '')).toBe('Grey')
  })
})

describe('the main colour', () => {
  const even = colourFamilies.map((family) => [family, 1 / colourFamilies.length] as const)
  const hexOf = (picture: Picture, mask: Mask) => {
    const { hex } = rankColours(picture, mask, even)
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  }
  const furthest = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((value, i) => Math.abs(value - b[i]!)))

  it.each([60, 75, 95])(
    'of cloth with folds hardly moves when its picture is compressed to quality %i',
    async (quality) => {
      const [picture, mask] = paint((x, y) => {
        const light = 1 + 0.25 * Math.sin(x / 5) * Math.cos(y / 9)
        return [110 * light, 50 * light, 60 * light]
      })
      const { picture: again } = await decodePicture(encodeJpeg(picture, quality), 100)
      expect(furthest(hexOf(picture, mask), hexOf(again, mask))).toBeLessThanOrEqual(6)
    },
  )

  it('is the more common one of two, not a mixture', () => {
    const [picture, mask] = paint((x) => (x % 10 < 6 ? red : blue))
    expect(furthest(hexOf(picture, mask), red)).toBeLessThanOrEqual(3)
  })
})

describe('white cloth under a strong warm lamp', () => {
  const warm = (level: number): Rgb => [level, level * 0.9 ** (1 / 2.4), level * 0.55 ** (1 / 2.4)]
  // The network sees the light of the lamp on the cloth as the colour of the cloth.
  const beige = colourFamilies.map((family) => [family, family === 'Beige' ? 0.9 : 0.1 / 14] as const)

  it('is not called beige with confidence if what surrounds it may be white too', () => {
    const [picture, mask] = paint(() => warm(235), warm(225))
    const [best] = rankColours(picture, mask, beige).ranked
    expect(best!.probability).toBeLessThan(0.85)
  })

  it('stays beige with confidence beside a neutral background', () => {
    const [picture, mask] = paint(() => warm(235), [225, 225, 225])
    const [best] = rankColours(picture, mask, beige).ranked
    expect(familyOf(best!.value)).toBe('Beige')
    expect(best!.probability).toBeGreaterThanOrEqual(0.85)
  })
})

describe('familyOf', () => {
  it('finds the family of a shade by its exact name only', () => {
    expect(['Denim Blue', 'Charcoal', 'Mint', 'Burgundy'].map(familyOf)).toEqual(['Blue', 'Grey', 'Turquoise', 'Red'])
    expect(['denim blue', 'Chartreuse', ''].map(familyOf)).toEqual([undefined, undefined, undefined])
  })
})

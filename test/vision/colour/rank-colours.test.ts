import { describe, expect, it } from 'vitest'
import { colourPrototypes, coloursOfFamily, familyOf } from '../../../src/vision/colour/name-colour.ts'
import { colourFamilies, colourFeatures, colourLogProbabilities } from '../../../src/vision/colour/colour-model.ts'
import { findPlaces, sampleColours } from '../../../src/vision/colour/sample-colours.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import { rankColours } from '../../../src/vision/colour/rank-colours.ts'

type Rgb = readonly [number, number, number]

/** A square of cloth, perhaps with stripes of a second colour, in the middle of a background. */
function lay(cloth: Rgb, background: Rgb = [225, 222, 215], second: Rgb = cloth) {
  const [width, height] = [60, 60]
  const mask = new Uint8Array(width * height)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let index = 0; index < mask.length; index++) {
    const [x, y] = [index % width, Math.floor(index / width)]
    const inside = Math.abs(x - 30) < 20 && Math.abs(y - 30) < 20
    mask[index] = inside ? 1 : 0
    data.set([...(inside ? (x % 12 < 6 ? cloth : second) : background), 255], index * 4)
  }
  return { picture: { width, height, data }, mask: { width, height, data: mask } }
}

const even = colourFamilies.map((family) => [family, 1 / colourFamilies.length] as const)
const read = (cloth: Rgb, second?: Rgb) => {
  const { picture, mask } = lay(cloth, undefined, second)
  return rankColours(picture, mask, even)
}

describe('rankColours', () => {
  it.each([
    ['Black', [24, 24, 26]],
    ['White', [246, 246, 244]],
    ['Grey', [128, 129, 131]],
    ['Red', [200, 30, 42]],
    ['Green', [42, 132, 72]],
    ['Pink', [242, 150, 180]],
    ['Yellow', [240, 214, 50]],
    ['Navy', [31, 41, 76]],
  ] as const)('calls plain %s cloth by its family', (family, rgb) => {
    expect(familyOf(read(rgb).ranked[0]!.value)).toBe(family)
  })

  it('uses the name that a shop has for the shade', () => {
    expect(read([108, 24, 42]).ranked[0]?.value).toBe('Burgundy')
  })

  it('has both colours of striped cloth among its first answers', () => {
    const families = read([200, 30, 42], [246, 246, 244])
      .ranked.slice(0, 3)
      .map(({ value }) => familyOf(value))
    expect(families).toEqual(expect.arrayContaining(['Red', 'White']))
  })

  it('gives the cloth itself in hex, not the mean of its stripes', () => {
    const { hex } = read([200, 30, 42])
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    expect(Math.hypot(red - 200, green - 30, blue - 42)).toBeLessThan(25)
  })

  it('gives nearly the same hex if noise changes every pixel', () => {
    const { next } = createRandom(7)
    const side = 160
    const mask = { width: side, height: side, data: new Uint8Array(side * side).fill(1) }
    const readNoisy = () => {
      const data = new Uint8ClampedArray(side * side * 4).fill(255)
      for (let at = 0; at < data.length; at += 4) {
        const shade = next() * 100
        data.set([shade, 40 + shade, 90 + shade], at)
      }
      return Number.parseInt(rankColours({ ...mask, data }, mask, even).hex.slice(1, 3), 16)
    }
    const reds = Array.from({ length: 6 }, readNoisy)
    expect(Math.max(...reds) - Math.min(...reds)).toBeLessThanOrEqual(2)
  })

  it('keeps a colour between two names of its family below High, so that recompression cannot swap High names', () => {
    const blue = colourFamilies.map((family) => [family, family === 'Blue' ? 0.98 : 0.0015] as const)
    const readBlue = (cloth: Rgb) => {
      const { picture, mask } = lay(cloth, [128, 128, 128])
      return rankColours(picture, mask, blue).ranked[0]!
    }
    const [between, clear] = [readBlue([113, 146, 180]), readBlue([70, 112, 170])]
    expect([between.value, clear.value].map(familyOf)).toEqual(['Blue', 'Blue'])
    expect(between.probability).toBeLessThan(0.85)
    expect(clear.probability).toBeGreaterThan(0.85)
  })

  it('follows the network where no pixel can be read', () => {
    const { picture, mask } = lay([200, 30, 42])
    const nothing = { ...mask, data: new Uint8Array(mask.data.length) }
    const seen = colourFamilies.map((family) => [family, family === 'Brown' ? 1 : 0] as const)
    const { ranked, hex } = rankColours(picture, nothing, seen)
    expect([ranked[0]?.value, hex]).toEqual(['Brown', '#808080'])
  })

  it('doubts beige cloth unless something neutral rules a warm lamp out', () => {
    const beige = colourFamilies.map((family) => [family, family === 'Beige' ? 0.9 : 0.007] as const)
    const rankOn = (background: Rgb) => {
      const { picture, mask } = lay([214, 202, 178], background)
      return rankColours(picture, mask, beige).ranked[0]!
    }
    const [onPaper, onGrass] = [rankOn([238, 238, 238]), rankOn([70, 96, 40])]
    expect([onPaper, onGrass].map(({ value }) => familyOf(value))).toEqual(['Beige', 'Beige'])
    expect(onPaper.probability).toBeGreaterThan(0.85)
    expect(onGrass.probability).toBeLessThan(0.85)
  })

  it('has probabilities that sum to 1', () => {
    expect(read([90, 60, 140]).ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6)
  })
})

describe('the families', () => {
  it('hold every name of a prototype exactly once, and are those of the model', () => {
    expect(Object.values(coloursOfFamily).flat().sort()).toEqual([...Object.keys(colourPrototypes), 'Multi'].sort())
    expect(Object.keys(coloursOfFamily).sort()).toEqual([...colourFamilies].sort())
  })
})

describe('sampleColours', () => {
  it('keeps away from the edge between cloth and background', () => {
    const { picture, mask } = lay([200, 30, 42], [10, 200, 10])
    // A seam of blended pixels along the edge.
    for (let x = 10; x < 50; x++) picture.data.set([0, 0, 255, 255], (11 * 60 + x) * 4)
    const { inside, outside } = sampleColours(picture, findPlaces(mask))
    expect(new Set(inside.filter((_, index) => index % 3 === 2))).toEqual(new Set([42]))
    expect(new Set(outside.filter((_, index) => index % 3 === 2))).toEqual(new Set([10]))
  })

  it('is empty where there is too little', () => {
    const { picture, mask } = lay([1, 2, 3])
    expect(sampleColours(picture, findPlaces({ ...mask, data: mask.data.fill(0) })).inside.length).toBe(0)
  })
})

describe('the colour model', () => {
  it('reads a histogram of square roots: its squares sum to 1', () => {
    const centres = [[20, 0, 0], [80, 0, 0]] // prettier-ignore
    const inside = new Uint8Array(300).fill(40)
    const features = colourFeatures({ inside, outside: new Uint8Array(0) }, centres)
    expect(features[0]! ** 2 + features[1]! ** 2).toBeCloseTo(1, 6)
    expect(features.length).toBe(2 + 2 + 9 + 9)
  })

  it('gives log probabilities', () => {
    const inside = new Uint8Array(300).fill(240)
    const sum = colourLogProbabilities({ inside, outside: inside }).reduce((total, log) => total + Math.exp(log), 0)
    expect(sum).toBeCloseTo(1, 6)
  })
})

import { describe, expect, it } from 'vitest'
import { annotatePicture, placeLabel } from '../../../src/vision/annotate/annotate-picture.ts'
import { drawLine, glyphTable, textWidth } from '../../../src/vision/annotate/canvas.ts'
import { redrawLines } from '../../../src/vision/measure/original-lines.ts'
import { itemTypes, itemOf } from '../../../src/vision/taxonomy/item-types.ts'
import { colourPrototypes } from '../../../src/vision/colour/name-colour.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import type { Drawing } from '../../../src/vision/annotate/clean-copy.ts'

const grey = (width: number, height: number, level: number): Picture => {
  const data = new Uint8ClampedArray(width * height * 4).fill(level)
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  return { width, height, data }
}

const drawing: Drawing = {
  isCutOut: false,
  itemType: 'T-Shirt',
  colour: 'Navy',
  colourHex: '#1f294c',
  scaleSource: 'studio',
  scale: 1,
  outlines: [
    [
      [40, 60],
      [160, 60],
      [160, 240],
      [40, 240],
    ],
  ],
  holes: [],
  card: [],
  lines: [{ name: 'Chest', from: [40, 100], to: [160, 100], cm: 52 }],
}

const pixel = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
]

describe('annotatePicture', () => {
  it.each([0, 128, 255])('draws an outline that is visible on a background of level %i', (level) => {
    const drawn = annotatePicture(grey(200, 300, level), drawing)
    const [red = 0, green = 0, blue = 0] = pixel(drawn, 160, 180)
    expect(red - green).toBeGreaterThan(100)
    expect(Math.max(Math.abs(red - level), Math.abs(green - level), Math.abs(blue - level))).toBeGreaterThan(90)
  })

  it('keeps the label of a line on it where it crosses another one in the middle', () => {
    const lines = [
      { name: 'Length', from: [200, 50], to: [200, 350], cm: 30 },
      { name: 'Hem', from: [20, 200], to: [380, 200], cm: 71 },
    ] as const
    const drawn = annotatePicture(grey(400, 400, 200), { ...drawing, outlines: [], lines })
    // Beside the stroke, above the letters, so that nothing else is dark there.
    expect(pixel(drawn, 146, 196)[0]).toBeLessThan(60)
    expect(pixel(drawn, 190, 216)[0]).toBe(200)
  })

  it('draws the page of the printed card, and says if it was not used', () => {
    const card = [
      [20, 180],
      [180, 180],
      [180, 290],
      [20, 290],
    ] as const
    const [used, unused] = (['card', 'estimate'] as const).map((scaleSource) =>
      annotatePicture(grey(200, 300, 128), { ...drawing, outlines: [], scaleSource, card }),
    ) as [Picture, Picture]
    expect(pixel(used, 20, 245)).toEqual([255, 196, 0])
    const dark = (drawn: Picture) =>
      Array.from({ length: 150 }, (_, x) => pixel(drawn, x + 25, 231)[0]! < 60).filter(Boolean)
    expect(dark(used).length).toBeGreaterThan(5)
    expect(dark(unused).length).toBeGreaterThan(dark(used).length + 10)
  })

  it.each([
    [[0.1, 0, 0, 0, 0.1, 0, 0, 0.001], 'card'],
    [0.1, 'studio'],
    [undefined, null],
  ])(
    'draws lines of people on a garment that was not measured, by a scale of %j, as measured by: %s',
    (scale, source) => {
      const unmeasured = { ...drawing, lines: [], scaleSource: null }
      const view = { scale } as const
      expect(redrawLines(unmeasured, { Chest: [40, 100, 160, 100] }, view).scaleSource).toBe(source)
      expect(redrawLines(unmeasured, { Chest: null }, view).scaleSource).toBe(null)
      expect(redrawLines(drawing, { Chest: [40, 100, 160, 100] }, view).scaleSource).toBe('studio')
    },
  )

  it.each([60, 120, 200])('draws all of its labels within a picture that is %i pixels wide', (width) => {
    const long = { ...drawing, itemType: 'Sweatshirt', colour: 'Light Blue', outlines: [] } as const
    const lines = [{ name: 'Sleeve Length', from: [30, 150], to: [30, 190], cm: 62.5 }] as const
    const drawn = annotatePicture(grey(width, 300, 255), { ...long, lines })
    for (let y = 0; y < 300; y++) expect(pixel(drawn, width - 1, y), `at ${y}`).toEqual([255, 255, 255])
  })

  it('leaves the picture it was given as it was, and its size too', () => {
    const picture = grey(200, 300, 200)
    const drawn = annotatePicture(picture, drawing)
    expect(picture.data.every((value, at) => value === (at % 4 === 3 ? 255 : 200))).toBe(true)
    expect([drawn.width, drawn.height]).toEqual([200, 300])
  })

  it('draws every measuring line with a crossbar at both ends, and the colour of the tag as a swatch', () => {
    const lines = [
      { name: 'Chest', from: [40, 100], to: [240, 100], cm: 52 },
      { name: 'Length', from: [140, 60], to: [140, 280], cm: 70 },
      { name: 'Hem', from: [50, 260], to: [230, 260], cm: 48 },
    ] as const
    const picture = grey(300, 300, 200)
    const drawn = annotatePicture(picture, { ...drawing, outlines: [], lines })
    const measure = [0, 212, 255]
    for (const [x, y] of [
      [60, 100],
      [220, 100],
      [140, 80],
      [140, 240],
      [70, 260],
      [210, 260],
    ] as const)
      // prettier-ignore
      expect(pixel(drawn, x, y), `at ${x}, ${y}`).toEqual(measure)
    for (const [x, y] of [
      [40, 102],
      [240, 98],
      [138, 60],
      [142, 280],
      [50, 258],
      [230, 262],
    ] as const)
      // prettier-ignore
      expect(pixel(drawn, x, y), `crossbar at ${x}, ${y}`).toEqual(measure)
    expect(pixel(drawn, 13, 12)).toEqual([0x1f, 0x29, 0x4c])
    expect(pixel(drawn, 280, 180)).toEqual([200, 200, 200])
    expect(picture.data.every((value, at) => value === (at % 4 === 3 ? 255 : 200))).toBe(true)
  })

  it.each([
    [64, 48],
    [1, 300],
    [1280, 60],
  ])('draws on a picture of %i x %i pixels, which stays opaque', (width, height) => {
    const drawn = annotatePicture(grey(width, height, 90), drawing)
    expect(drawn.data.length).toBe(width * height * 4)
    expect(drawn.data.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true)
  })
})

describe('drawLine', () => {
  it('is smooth: along a slanted line the ink of each column sums to the width of the line', () => {
    const picture = grey(100, 60, 0)
    drawLine(picture, [5, 20], [95, 35], 3, [255, 255, 255])
    for (let x = 20; x < 80; x++) {
      let ink = 0
      for (let y = 0; y < 60; y++) ink += pixel(picture, x, y)[0]! / 255
      expect(ink).toBeCloseTo(3 * Math.hypot(1, 15 / 90), 0)
    }
  })
})

describe('labels', () => {
  it('have a glyph for every letter of the words that can appear', () => {
    const words = [
      ...itemTypes,
      ...Object.keys(colourPrototypes),
      'Multi',
      ...itemTypes.flatMap((type) => itemOf(type).measurements),
      '0123456789.',
    ]
    for (const letter of new Set(words.join(''))) expect(glyphTable, `no glyph for ${letter}`).toHaveProperty([letter])
    expect(textWidth('Chest 52.0', 12)).toBeGreaterThan(textWidth('Chest', 12))
  })

  it('are placed inside the picture and off each other', () => {
    const taken = [{ left: 2, top: 2, width: 60, height: 14 }]
    for (let index = 0; index < 6; index++) taken.push(placeLabel([[30, 9]], 60, 14, taken, 200, 120))
    taken.forEach((a, i) => {
      expect(a.left).toBeGreaterThanOrEqual(0)
      expect(a.left + a.width).toBeLessThanOrEqual(200)
      expect(a.top + a.height).toBeLessThanOrEqual(120)
      for (const b of taken.slice(i + 1))
        expect(
          a.left < b.left + b.width &&
            b.left < a.left + a.width &&
            a.top < b.top + b.height &&
            b.top < a.top + a.height,
        ).toBe(false)
    })
  })
})

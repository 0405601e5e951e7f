import { describe, expect, it } from 'vitest'
import { cutOutGarment } from '../../../src/vision/cutout/cut-out-garment.ts'
import { coverRings } from '../../../src/vision/cutout/matte.ts'
import type { Picture, Point } from '../../../src/vision/picture.ts'

type Colour = readonly [red: number, green: number, blue: number]

const [red, green]: [Colour, Colour] = [
  [200, 30, 40],
  [20, 160, 60],
]

interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** A disc on a background, with an edge that is blended over two pixels, as a camera does. */
function disc(width: number, height: number, { x, y, radius }: Disc, cloth: Colour, behind: Colour): Picture {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0; column < width; column++, at += 4) {
      const share = Math.min(1, Math.max(0, (radius + 1 - Math.hypot(column - x, row - y)) / 2))
      cloth.forEach((level, channel) => (data[at + channel] = share * level + (1 - share) * behind[channel]!))
    }
  return { width, height, data }
}

const ringOf = ({ x, y, radius }: Disc): Point[] =>
  Array.from({ length: 90 }, (_, at): Point => {
    const angle = (at / 90) * 2 * Math.PI
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })

const at = { x: 300, y: 280, radius: 150 }
const options = { ratio: '1:1', maxEdge: 2000 } as const

const cut = (cloth = red, behind = green, drawn = ringOf(at), holes: Point[][] = []) =>
  cutOutGarment(disc(600, 600, at, cloth, behind), { outlines: [drawn], holes }, 1, options)

const pixel = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x + 1) * 4),
]

describe('a garment that is cut out', () => {
  it('stands in a square frame with an even margin of 8 %, opaque, with nothing around it', () => {
    const { width, height, data } = cut()
    expect(width).toBe(height)
    expect(width).toBeGreaterThan(352)
    expect(width).toBeLessThan(366)
    const opacity = (x: number, y: number) => data[(y * width + x) * 4 + 3]
    const middle = Math.floor(width / 2)
    const reach = (step: (n: number) => number | undefined) => {
      let n = 0
      while (step(n) === 0) n++
      return n
    }
    const last = width - 1
    const margins = [
      reach((n) => opacity(n, middle)),
      reach((n) => opacity(last - n, middle)),
      reach((n) => opacity(middle, n)),
      reach((n) => opacity(middle, last - n)),
    ]
    for (const margin of margins) expect(Math.abs(margin - width * 0.08)).toBeLessThan(2.5)
    expect([opacity(middle, middle), opacity(2, 2)]).toEqual([255, 0])
  })

  it('has no rim of the old background, wherever it is seen', () => {
    const { data } = cut()
    const colours = Array.from({ length: data.length / 4 }, (_, index) => [...data.subarray(index * 4, index * 4 + 4)])
    // Green is strong in the background only.
    const ofBackground = colours.filter(([r = 0, g = 0, , opacity = 0]) => opacity > 8 && (g >= 70 || r <= 150))
    expect(ofBackground).toEqual([])
  })

  it('has the edge that the picture shows where the outline is two pixels off', () => {
    for (const off of [-2, 2]) {
      const drawn = ringOf({ ...at, radius: at.radius + off })
      const { data } = cut(red, green, drawn)
      let covered = 0
      for (let index = 3; index < data.length; index += 4) covered += data[index]! / 255
      expect(Math.abs(Math.sqrt(covered / Math.PI) - at.radius)).toBeLessThan(0.7)
    }
  })

  it('has the edge of the outline where colours tell nothing', () => {
    const { data } = cut([200, 200, 200], [203, 203, 203])
    let covered = 0
    for (let index = 3; index < data.length; index += 4) covered += data[index]! / 255
    expect(Math.abs(Math.sqrt(covered / Math.PI) - at.radius)).toBeLessThan(0.7)
  })

  it('has its holes', () => {
    const hole = { ...at, radius: 40 }
    const picture = disc(600, 600, at, red, green)
    const inner = disc(600, 600, hole, green, red)
    for (let index = 0; index < picture.data.length; index += 4)
      if (Math.hypot(((index / 4) % 600) - at.x, Math.floor(index / 2400) - at.y) < 60)
        picture.data.set(inner.data.subarray(index, index + 4), index)
    const result = cutOutGarment(picture, { outlines: [ringOf(at)], holes: [ringOf(hole)] }, 1, options)
    expect(pixel(result, result.width / 2, result.height / 2)[3]).toBe(0)
    expect(pixel(result, result.width / 2 + 80, result.height / 2)[3]).toBe(255)
  })

  it('has four fifths of the width of its height, if that is asked for, and at most so many pixels', () => {
    const picture = () => disc(600, 600, at, red, green)
    const portrait = cutOutGarment(picture(), { outlines: [ringOf(at)], holes: [] }, 1, { ...options, ratio: '4:5' })
    expect(portrait.width).toBe(Math.round(portrait.height * 0.8))
    const taller = cutOutGarment(picture(), { outlines: [ringOf(at)], holes: [] }, 1, { ...options, ratio: '3:4' })
    expect(taller.width).toBe(Math.round(taller.height * 0.75))
    const small = cutOutGarment(picture(), { outlines: [ringOf(at)], holes: [] }, 1, { ...options, maxEdge: 100 })
    expect([small.width, small.height]).toEqual([100, 100])
    expect(pixel(small, 11, 50)[3]).toBe(255)
    expect(pixel(small, 4, 50)[3]).toBe(0)
  })

  it('is cut off by the frame where the picture cuts it off, and has its margins elsewhere', () => {
    const place = { x: 300, y: 60, radius: 150 }
    const picture = disc(600, 600, place, red, green)
    const ring = ringOf(place).map(([x, y]): Point => [x, Math.max(-0.5, y)])
    const { width, height, data } = cutOutGarment(picture, { outlines: [ring], holes: [] }, 1, options)
    const opacity = (x: number, y: number) => data[(y * width + x) * 4 + 3]
    const middle = Math.floor(width / 2)
    expect([opacity(middle, 0), opacity(middle, height - 1), opacity(1, 5)]).toEqual([255, 0, 0])
  })

  it('is the same from a picture of other pixels than its outline', () => {
    const half = ringOf({ x: 149.75, y: 139.75, radius: 75 })
    const result = cutOutGarment(disc(600, 600, at, red, green), { outlines: [half], holes: [] }, 2, options)
    expect(Math.abs(result.width - cut().width)).toBeLessThan(4)
  })
})

it('coverage by rings counts parts of pixels', () => {
  const square: Point[] = [
    [0.5, 0.5],
    [3, 0.5],
    [3, 2],
    [0.5, 2],
  ]
  const covered = [...coverRings([square], 5, 4)]
  expect([0, 5, 10, 15].map((from) => covered.slice(from, from + 5))).toEqual([
    [0, 0, 0, 0, 0],
    [0, 255, 255, 128, 0],
    [0, 128, 128, 64, 0],
    [0, 0, 0, 0, 0],
  ])
})

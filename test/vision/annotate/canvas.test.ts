import { describe, expect, it } from 'vitest'
import { drawBox, drawLine, drawPolyline, drawText, type Ink, textWidth } from '../../../src/vision/annotate/canvas.ts'

const white: Ink = [255, 255, 255]

const black = (width: number, height: number) => ({ width, height, data: new Uint8ClampedArray(width * height * 4) })

/** The red channel, one array a row. */
const rows = ({ width, height, data }: ReturnType<typeof black>) =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => data[(y * width + x) * 4]))

/** Places of all pixels with ink. */
const inked = (picture: ReturnType<typeof black>) =>
  rows(picture).flatMap((row, y) => row.flatMap((level, x) => (level === 0 ? [] : [[x, y] as const])))

describe('lines', () => {
  it('cover the pixels of their width in full, with round ends', () => {
    const picture = black(8, 5)
    drawLine(picture, [2, 2], [5, 2], 3, white)
    // A corner lies the square root of 2 from the end: 2 - 1.414 of 255.
    expect(rows(picture)).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 0],
      [0, 149, 255, 255, 255, 255, 149, 0],
      [0, 255, 255, 255, 255, 255, 255, 0],
      [0, 149, 255, 255, 255, 255, 149, 0],
      [0, 0, 0, 0, 0, 0, 0, 0],
    ])
  })

  it('mix their ink with what lies below by their opacity', () => {
    const picture = black(3, 1)
    picture.data.fill(100)
    drawLine(picture, [1, 0], [1, 0], 1, [200, 100, 0], 0.5)
    expect([...picture.data]).toEqual([100, 100, 100, 100, 150, 100, 50, 100, 100, 100, 100, 100])
  })

  it('are cut off at the edge without reaching into the next row', () => {
    const picture = black(4, 4)
    drawLine(picture, [-20, 1], [20, 1], 1, white)
    drawLine(picture, [2, -20], [2, 20], 1, white)
    drawLine(picture, [4.9, -9], [4.9, 9], 1, white)
    drawLine(picture, [-9, 30], [-9, 40], 5, white)
    expect(rows(picture)).toEqual([
      [0, 0, 255, 0],
      [255, 255, 255, 255],
      [0, 0, 255, 0],
      [0, 0, 255, 0],
    ])
  })

  it('join to a polygon through all its corners, and leave its inside free', () => {
    const picture = black(5, 4)
    const corners = [[0, 0], [4, 0], [4, 3], [0, 3], [0, 0]] as const // prettier-ignore
    drawPolyline(picture, corners, 1, white)
    const full = [255, 255, 255, 255, 255]
    expect(rows(picture)).toEqual([full, [255, 0, 0, 0, 255], [255, 0, 0, 0, 255], full])
  })

  it('fill a box that crosses an edge only within the picture', () => {
    const picture = black(4, 3)
    drawBox(picture, -3, -3, 5, 5, 0.5, white, 1)
    expect(inked(picture)).toEqual([[0, 0], [1, 0], [0, 1], [1, 1]]) // prettier-ignore
    const right = black(4, 3)
    drawBox(right, 3, 0, 4, 2, 0.5, white, 1)
    expect(inked(right)).toEqual([[3, 0], [3, 1]]) // prettier-ignore
  })
})

describe('drawText', () => {
  it('draws the strokes of an L at the pixels of its grid and nothing in its open corner', () => {
    const picture = black(20, 20)
    drawText(picture, 'L', [4, 3], 12, white)
    const level = rows(picture)
    for (let y = 3; y <= 15; y++) expect(level[y]?.[4]).toBe(255)
    for (let x = 4; x <= 12; x++) expect(level[15]?.[x]).toBe(255)
    for (let y = 0; y <= 13; y++) expect(level[y]?.slice(6).every((value) => value === 0)).toBe(true)
  })

  it('stays within its width and height, stroke included, and leaves a gap for an unknown letter', () => {
    const picture = black(120, 40)
    drawText(picture, 'HOME', [10, 10], 12, white)
    const places = inked(picture)
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
    expect([Math.min(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([9, 9, 23])
    expect(Math.max(...xs)).toBe(Math.floor(10 + textWidth('HOME', 12) + 1.45))
    const gap = black(40, 20)
    drawText(gap, '€', [4, 4], 12, white)
    expect(inked(gap)).toEqual([])
  })
})

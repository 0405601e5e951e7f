import { describe, expect, it } from 'vitest'
import { findCard } from '../../../src/vision/card/find-card.ts'
import { project } from '../../../src/vision/card/homography.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { measured, photograph, plainView } from './scene.ts'

const flat = { problem: undefined }

function mirrored({ width, height, data }: Picture): Picture {
  const out = new Uint8ClampedArray(data.length)
  for (let index = 0; index < width * height; index++) {
    const [x, y] = [index % width, Math.floor(index / width)]
    out.set(data.subarray(index * 4, index * 4 + 4), (y * width + width - 1 - x) * 4)
  }
  return { width, height, data: out }
}

describe('findCard', () => {
  it.each([0, 45, 133, 270])('finds the card turned by %i degrees, and measures far from it', (turn) => {
    const shot = photograph({}, {}, { at: [12, 4], turn })
    expect(shot.found).toMatchObject(flat)
    expect(measured(shot, [-30, -20], [-30, 15])).toBeCloseTo(1, 2)
    expect(measured(shot, [-35, 0], [-5, 0])).toBeCloseTo(1, 2)
  })

  it.each([0, 90, 200])('corrects lengths for a camera tilted by 30 degrees towards %i', (direction) => {
    const shot = photograph({ tilt: 30, direction, distance: 80 })
    expect(shot.found).toMatchObject(flat)
    expect(Math.abs(measured(shot, [-20, -15], [-20, 15]) - 1)).toBeLessThan(0.01)
    expect(Math.abs(measured(shot, [-20, 10], [20, 10]) - 1)).toBeLessThan(0.01)
  })

  it('returns the corners of the page', () => {
    const card = { at: [5, 0] as const, turn: 0 }
    const { found, toPicture } = photograph({ tilt: 20 }, {}, card)
    const expected = project(toPicture, [5 - 10.8, -14.85])
    const [x, y] = found?.corners[0] ?? [0, 0]
    expect(Math.hypot(x - expected[0], y - expected[1])).toBeLessThan(1.5)
  })

  it.each([2, 12, 60])('finds the card under a shadow whose edge is %i pixels wide', (edge) => {
    const { width, height } = plainView
    const shadow = { through: [width / 2 + 30, height / 2] as const, turn: 30, left: 0.35, edge }
    const shot = photograph({}, { shadow })
    expect(shot.found).toMatchObject(flat)
    expect(measured(shot, [-30, -20], [-30, 15])).toBeCloseTo(1, 2)
  })

  it('finds a card that is faint, noisy and out of focus', () => {
    expect(photograph({}, { paper: 140, ink: 70, noise: 6, blur: 1.3 }).found).toMatchObject(flat)
  })

  it('finds the card in a picture larger than what is searched at full resolution', () => {
    const shot = photograph({ width: 1280, height: 960, focal: 1000, distance: 120 })
    expect(shot.found).toMatchObject(flat)
    expect(measured(shot, [-50, -20], [-10, 25])).toBeCloseTo(1, 2)
  })

  it('reports a card that is too small in the picture', () => {
    expect(photograph({ distance: 195, target: [-20, 0] }, { blur: 0.3 }).found).toMatchObject({
      problem: 'card_small',
    })
  })

  it('reports a card of which too little is visible', () => {
    const { picture } = photograph({}, {}, { at: [0, 0], turn: 0 })
    // A box over the lower half, as of a sleeve.
    for (let y = 165; y < 360; y++) picture.data.fill(90, (y * 480 + 150) * 4, (y * 480 + 330) * 4)
    expect(findCard(picture)).toMatchObject({ problem: 'card_hidden' })
  })

  it.each([2, 4])('reports a card whose middle lies %i centimetres higher than its ends', (height) => {
    const at = [14, 3] as const
    // Seen from straight above, what lies higher is seen further out.
    const bend = ([x, y]: readonly [number, number]) => {
      const lift = Math.max(0, 1 - ((y - at[1]) / 14) ** 2) * height
      return [x * (1 - lift / plainView.distance), y * (1 - lift / plainView.distance)] as const
    }
    expect(photograph({}, {}, { at, turn: 0, bend }).found).toMatchObject({ problem: 'card_bent' })
  })

  it('finds nothing without a card, in a mirrored picture, and where a single marker is left', () => {
    expect(findCard(makeFlatLay(3, { itemType: 'Shirt', pattern: 'Checked' }).picture)).toBeUndefined()
    const { picture } = photograph({}, {}, { at: [0, 0], turn: 0 })
    expect(findCard(mirrored(picture))).toBeUndefined()
    for (let y = 0; y < 360; y++) picture.data.fill(200, (y * 480 + (y < 161 ? 248 : 0)) * 4, (y * 480 + 480) * 4)
    expect(findCard(picture)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { chooseLines } from '../../../src/vision/measure/choose-lines.ts'
import type { Layout } from '../../../src/vision/measure/silhouette.ts'
import { locateGarment } from '../../../src/vision/measure/locate-garment.ts'
import type { Build } from '../../../src/vision/taxonomy/item.ts'
import type { ItemType } from '../../../training/flat-lay/garments/sample-garment.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { silhouetteOf, silhouetteOfPolygon } from './outline-of.ts'

const [width, height] = [225, 300]

/** Names of the lines that are kept, after `change` has been done to the drawn mask. */
function kept(itemType: ItemType, build: Build, change: (mask: Uint8Array) => void = () => undefined) {
  const { truth } = makeFlatLay(709, { itemType, width, height, hook: false, rotationDegrees: 0 })
  change(truth.mask)
  const silhouette = silhouetteOf(truth.mask, width, height)
  const layout = locateGarment(build, silhouette)
  return chooseLines(build, layout, silhouette, { width, height }).map(({ name }) => name)
}

/** Moves the garment down so that its lower third lies beyond the picture. */
function pushDown(mask: Uint8Array) {
  mask.copyWithin(width * 100, 0, width * 200)
  mask.fill(0, 0, width * 100)
}

describe('chooseLines', () => {
  it('keeps all lines of trousers that lie flat and straight', () => {
    expect(kept('Trousers', 'legs')).toEqual(['Hip', 'Thigh'])
  })

  it('measures no length across the edge of the picture, but still the width of the hip', () => {
    expect(kept('Skirt', 'skirt')).toEqual(['Hip', 'Length'])
    expect(kept('Skirt', 'skirt', pushDown)).toEqual(['Hip'])
  })

  it('measures nothing of crumpled trousers', () => {
    const crumple = (mask: Uint8Array) => {
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (x < 112 === y > 120) mask[y * width + x] = 0
    }
    expect(kept('Trousers', 'legs', crumple)).toEqual([])
  })

  it('measures a bag', () => {
    expect(kept('Bag', 'bag').sort()).toEqual(['Height', 'Width'])
  })
})

describe('chooseLines, at its limits', () => {
  const square = silhouetteOfPolygon([[40, 40], [160, 40], [160, 160], [40, 160]], 200, 200) // prettier-ignore
  const line = (name: string, length: number) => ({ name, from: [0, 0], to: [length, 0] }) as const
  const names = (layout: Layout) =>
    chooseLines('legs', layout, square, { width: 200, height: 200 }).map(({ name }) => name)

  it.each([
    [52, true],
    [54, false],
  ])('with a rise of %i below a hip of 60, measures the hip: %s', (rise, isKept) => {
    const layout = { landmarks: { crotch: [0, rise], waist: [0, 0] }, lines: [line('Hip', 60)] } as const
    expect(names(layout)).toEqual(isKept ? ['Hip'] : [])
  })

  it.each([
    [25, false],
    [27, true],
    [38, true],
    [40, false],
  ])('with a thigh of %i below a hip of 60, measures the thigh: %s', (thigh, isKept) => {
    const layout = {
      landmarks: { crotch: [0, 40], waist: [0, 0] },
      lines: [line('Hip', 60), line('Thigh', thigh)],
    } as const
    expect(names(layout).includes('Thigh')).toBe(isKept)
    expect(names(layout)).toContain('Hip')
  })

  it('measures a skirt cut off by the top of the picture only at its hip', () => {
    const cut = silhouetteOfPolygon([[70, -40], [130, -40], [160, 110], [40, 110]], 200, 150) // prettier-ignore
    const lines = chooseLines('skirt', locateGarment('skirt', cut), cut, { width: 200, height: 150 })
    expect(lines.map(({ name }) => name)).toEqual(['Hip'])
  })

  it('measures no legs in an empty mask', () => {
    const empty = silhouetteOfPolygon([], 200, 200)
    expect(chooseLines('legs', locateGarment('legs', empty), empty, { width: 200, height: 200 })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { checkFloors } from './photos/check-floors.ts'
import type { Photo } from './photos/read-photos.ts'
import type { Row } from './photos/evaluate-photos.ts'
import { scorePhotos, shareOfSameTypes } from './photos/score-photos.ts'

const photo: Photo = {
  id: 'a',
  folder: '.',
  sender: '1',
  reserve: '',
  split: 'validation',
  type: 'T-Shirt',
  colours: ['Red', 'White'],
  pattern: 'Plain',
  closure: 'None',
  sleeve: 'Short',
  fabric: 'Jersey',
  fit: 'Regular',
  neckline: 'Crew',
  shown: 'Flat',
  maskUnsure: 0,
}

function row(type: string, colour: string, probability: number, iou: number, neckline = 'Crew'): Row {
  const ranked = {
    'Item Type': [{ value: type, probability }],
    Colour: [{ value: colour, probability }],
    Pattern: [{ value: 'Plain', probability }],
    Closure: [{ value: 'Pullover', probability }],
    Sleeve: [{ value: 'Short', probability }],
    Neckline: [{ value: neckline, probability }],
  }
  const tag = { 'Item Type': type, 'Item Type Alternatives': ['T-Shirt'] }
  return {
    photo,
    iou,
    answer: {
      itemType: 'T-Shirt',
      tag,
      ranked,
      measurements: {},
      shown: 'flat',
      outlines: [],
      holes: [],
      lines: [],
      card: [],
      scale: 1,
    },
  }
}

describe('scorePhotos', () => {
  it('counts families of colours, kinds and alternatives', () => {
    const figures = scorePhotos([row('T-Shirt', 'Burgundy', 0.9, 0.95), row('Polo Shirt', 'Green', 0.9, 0.4)])
    expect(figures.attributes['Item Type']?.right.value).toBe(0.5)
    expect(figures.kind.value).toBe(1)
    expect(figures.among.value).toBe(1)
    expect(figures.attributes['Colour']?.right.value).toBe(0.5)
    expect(figures.attributes['Closure']?.right.value).toBe(1)
    expect(figures.attributes['Item Type']?.highRight).toMatchObject({ count: 2, value: 0.5 })
    expect(figures.outline.below50.value).toBe(0.5)
    expect(figures.confusions).toEqual({ 'T-Shirt taken for Polo Shirt': 1 })
  })

  it('has the outlines of pale and of striped garments apart', () => {
    const own = row('T-Shirt', 'Red', 0.9, 0.8)
    const [pale, striped] = [{ colours: ['White', 'Red'] }, { pattern: 'Striped' }]
    const rows = [
      own,
      { ...own, iou: 0.9, photo: { ...photo, ...pale } },
      { ...own, iou: 1, photo: { ...photo, ...striped } },
    ]
    const { outline } = scorePhotos(rows)
    expect(outline.mean).toBeCloseTo(0.9, 6)
    expect(outline.paleOrStriped).toEqual({ count: 2, mean: expect.closeTo(0.95, 6) as number })
  })

  it('counts a refused photograph as wrong', () => {
    const figures = scorePhotos([{ photo, answer: undefined, iou: 0 }])
    expect([figures.noAnswer.value, figures.attributes['Item Type']?.right.value]).toEqual([1, 0])
  })
})

describe('checkFloors', () => {
  it('accepts good figures', () => {
    expect(checkFloors('validation', scorePhotos([row('T-Shirt', 'Red', 0.9, 0.95)]))).toEqual([])
  })

  it('names each figure that is too low', () => {
    expect(checkFloors('validation', scorePhotos([row('Boots', 'Green', 0.9, 0.5, 'V-Neck')])).join(' ')).toMatch(
      /item type: .* kind: .* item type called High: .* colour: .* neckline: .* outline: /,
    )
  })

  it('rejects shipped networks that disagree with the held-out ones on more than a tenth of the item types', () => {
    const rows = (types: readonly string[]) => types.map((type) => row(type, 'Red', 0.9, 0.95))
    const same = Array.from({ length: 9 }, () => 'T-Shirt')
    const [shipped, heldOut] = [rows([...same, 'Hat']), rows([...same, 'Boots'])]
    const figures = scorePhotos(rows(same))
    const refused = { photo, answer: undefined }
    expect(checkFloors('judges', figures, shareOfSameTypes(shipped, heldOut))).toEqual([])
    expect(checkFloors('judges', figures, shareOfSameTypes([refused, refused], [refused, ...rows(['Hat'])]))).toEqual([
      'judges, agreement with the held-out networks: 0.500 is below the floor of 0.9',
    ])
  })
})

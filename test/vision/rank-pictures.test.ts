import { describe, expect, it } from 'vitest'
import { type PictureEvidence, rankPictures } from '../../src/vision/combine-pictures.ts'
import { highFrom } from '../../src/vision/rank.ts'

const certain = (shown: string): PictureEvidence => ({
  kind: 'front',
  trust: 1,
  isDark: false,
  colour: { ranked: [{ value: 'Navy', probability: 1 }], hex: '#000080' },
  heads: {
    type: [['T-Shirt', 1]],
    pattern: [['Plain', 1]],
    closure: [['None', 1]],
    sleeve: [['Short', 1]],
    neckline: [['Crew', 1]],
    fabric: [['Jersey', 1]],
    fit: [['Regular', 1]],
    colour: [['Navy', 1]],
    shown: [[shown, 1]],
    presence: [['One', 1]],
    label: [['Garment', 1]],
    orientation: [['0', 1]],
  },
})

/** Returns the probability of each attribute's best value. */
function bestOf(...pictures: readonly [PictureEvidence, ...PictureEvidence[]]) {
  const ranked = rankPictures(pictures, { itemType: 'T-Shirt', attribute: {} })
  return Object.fromEntries(Object.entries(ranked).map(([name, [best]]) => [name, best?.probability]))
}

describe('the values of a worn garment', () => {
  it('are all less probable, except the item type', () => {
    const worn = bestOf(certain('Worn'))
    expect(bestOf(certain('Back'))).toEqual(worn)
    expect(worn).toMatchObject({ 'Item Type': 1, Colour: 0.95, Pattern: 0.95, Sleeve: 0.95, Neckline: 0.95, Fit: 0.95 })
    expect(bestOf(certain('Flat'))).toMatchObject({ 'Item Type': 1, Colour: 1, Pattern: 1, 'Fabric Type': 1 })
  })

  it('never include a fabric of High confidence', () => {
    expect(bestOf(certain('Worn'))['Fabric Type']).toBeLessThan(highFrom)
  })

  it('are lowered by half as much if one of two pictures shows the garment flat', () => {
    expect(bestOf(certain('Worn'), certain('Flat'))).toMatchObject({ 'Item Type': 1, Pattern: 0.975 })
  })
})

import { describe, expect, it } from 'vitest'
import { readScene, type SceneEvidence } from '../../src/vision/scene.ts'

/** A rectangle of garment in a picture of 40 x 30 pixels. */
function scene(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { none = 0, several = 0, cut = 0, worn = 0, back = 0, folded = 0, hanging = 0, hasSeveral = false } = {},
): SceneEvidence {
  const data = new Uint8Array(40 * 30)
  for (let y = top; y < bottom; y++) data.fill(1, y * 40 + left, y * 40 + right)
  return {
    hasSeveral,
    presence: [['None', none], ['One', 1 - none - several], ['Several', several]], // prettier-ignore
    shown: Object.entries({
      Flat: 1 - cut - worn - back - folded - hanging,
      Hanging: hanging,
      Folded: folded,
      Cut: cut,
      Worn: worn,
      Back: back,
    }),
    mask: { width: 40, height: 30, data },
  }
}

const inside = [5, 5, 35, 25] as const

describe('readScene', () => {
  it('notes nothing about one whole garment, also where it touches the edge with a corner', () => {
    expect(readScene(scene(inside, { several: 0.1, cut: 0.1 }))).toMatchObject({ shown: 'flat', notes: [], trust: 1 })
    const hem = scene(inside)
    for (let y = 25; y < 30; y++) hem.mask.data.fill(1, y * 40 + 5, y * 40 + 15)
    expect(readScene(hem).notes).toEqual([])
  })

  it('distinguishes hanging garments from flat ones, and measures both', () => {
    expect(readScene(scene(inside, { hanging: 0.6 }))).toMatchObject({ shown: 'hanging', isMeasurable: true })
    expect(readScene(scene(inside, { hanging: 0.4 }))).toMatchObject({ shown: 'flat', isMeasurable: true })
  })

  it('doubts everything where several garments lie apart or seem to be there', () => {
    for (const doubtful of [{ hasSeveral: true }, { several: 0.15 }]) {
      const { shown, notes, trust } = readScene(scene(inside, doubtful))
      expect([shown, notes]).toEqual(['several', ['several']])
      expect(trust).toBeLessThan(0.85)
    }
  })

  it('doubts everything about a detail, and does not measure it', () => {
    const detail = { shown: 'detail', notes: ['detail'], trust: 0.7, isMeasurable: false }
    expect(readScene(scene(inside, { cut: 0.3 }))).toEqual(detail)
  })

  it.each(['worn', 'folded'] as const)('does not measure what is %s, and trusts the tags', (shown) => {
    const expected = { shown, notes: [shown], trust: 1, isMeasurable: false }
    expect(readScene(scene(inside, { [shown]: 0.6 }))).toEqual(expected)
    expect(readScene(scene(inside, { [shown]: 0.4 }))).toMatchObject({ shown: 'flat' })
  })

  it('measures what is perhaps folded, but nothing that is perhaps worn', () => {
    expect(readScene(scene(inside, { folded: 0.4 })).isMeasurable).toBe(true)
    expect(readScene(scene(inside, { worn: 0.1 })).isMeasurable).toBe(true)
    for (const perhaps of [{ worn: 0.3 }, { worn: 0.15, back: 0.15 }, { worn: 0.3, hasSeveral: true }])
      expect(readScene(scene(inside, perhaps)).isMeasurable).toBe(false)
  })

  it('tells a garment that is seen from behind from one that is seen from the front', () => {
    const back = { shown: 'back', notes: ['back'], trust: 1, isMeasurable: false }
    expect(readScene(scene(inside, { worn: 0.2, back: 0.7 }))).toEqual(back)
    expect(readScene(scene(inside, { worn: 0.7, back: 0.2 })).shown).toBe('worn')
  })

  it('claims nothing where it is doubtful whether there is a garment', () => {
    const { notes, trust, isMeasurable } = readScene(scene(inside, { none: 0.5 }))
    expect([notes, isMeasurable]).toEqual([['uncertain'], false])
    expect(trust).toBeLessThan(0.85)
    expect(readScene(scene(inside, { none: 0.3 }))).toMatchObject({ notes: [], trust: 1, isMeasurable: true })
  })

  it('sees a worn garment where a person wears several', () => {
    expect(readScene(scene(inside, { worn: 0.9, hasSeveral: true }))).toMatchObject({ shown: 'worn', trust: 1 })
  })

  it.each([
    ['left', [0, 5, 30, 25]],
    ['upper', [5, 0, 35, 25]],
    ['right', [10, 5, 40, 25]],
    ['lower', [5, 5, 35, 30]],
  ] as const)('notes that the garment reaches the %s edge, and trusts the tags', (_, box) => {
    expect(readScene(scene(box))).toMatchObject({ notes: ['reaches_edge'], trust: 1 })
  })
})

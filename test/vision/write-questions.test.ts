import { describe, expect, it } from 'vitest'
import { writeQuestions } from '../../src/vision/write-questions.ts'
import { itemTypes } from '../../src/vision/taxonomy/item-types.ts'
import { colour, headsOf } from './heads.ts'

const attributes = (heads: ReturnType<typeof headsOf>, trust = 1, mode: 'doubtful' | 'always' = 'doubtful') =>
  writeQuestions({ heads, colour }, trust, mode).map(({ attribute }) => attribute)

const jumperOrCardigan = { Jumper: 0.55, Cardigan: 0.4 }
const sureJumper = { Jumper: 0.97 }

describe('the questions about a picture', () => {
  it('are none where the network is sure of the item type, unless all are asked about', () => {
    const heads = headsOf({ type: sureJumper, fabric: { Knit: 0.5 } })
    expect(attributes(heads)).toEqual([])
    expect(attributes(heads, 1, 'always')).toEqual(['Item Type', 'Fabric Type', 'shown'])
  })

  it('are those of the doubtful attributes that apply, never about colour', () => {
    const heads = headsOf({ type: jumperOrCardigan, neckline: { Crew: 0.6 }, colour: { Navy: 0.4 } })
    expect(attributes(heads)).toContain('Neckline')
    expect(attributes(heads)).not.toContain('Colour')
    expect(attributes(heads)).not.toContain('Pattern')
  })

  it('are asked where several garments make every value doubtful', () => {
    expect(attributes(headsOf({ type: sureJumper }), 0.7)).toContain('Item Type')
  })

  it('leave out what no likely item type has', () => {
    const heads = headsOf({ type: { Trainers: 0.5, Shoes: 0.45 }, sleeve: { Long: 0.4 }, neckline: { Crew: 0.4 } })
    for (const name of ['Sleeve', 'Neckline', 'Fit']) expect(attributes(heads)).not.toContain(name)
  })

  it('offer every item type with its meaning, and of other attributes what the likely types can have', () => {
    const heads = headsOf({ type: jumperOrCardigan, closure: { Buttons: 0.5, None: 0.4 } })
    const questions = writeQuestions({ heads, colour }, 1, 'doubtful')
    const optionsOf = (name: string) => questions.find(({ attribute }) => attribute === name)?.options ?? {}
    expect(Object.keys(optionsOf('Item Type')).toSorted()).toEqual(itemTypes.toSorted())
    expect(optionsOf('Item Type')['Cardigan']).toContain('knitted')
    expect(Object.keys(optionsOf('Closure'))).toContain('Button')
    expect(Object.keys(optionsOf('Closure'))).not.toContain('Lace-Up')
    // Only the client's material names it.
    expect(Object.keys(optionsOf('Fabric Type'))).not.toContain('Felt')
  })

  it('list their options in an order that tells nothing of what the network thinks', () => {
    const optionsOf = (heads: ReturnType<typeof headsOf>) =>
      writeQuestions({ heads, colour }, 1, 'always').map(({ options }) => Object.keys(options))
    const [one, other] = [
      { Jumper: 0.5, Cardigan: 0.4 },
      { Cardigan: 0.5, Jumper: 0.4 },
    ].map((type) => optionsOf(headsOf({ type, sleeve: { Long: 0.6 }, pattern: { Knit: 0.5 } })))
    expect(one).toEqual(other)
    expect(one?.[0]?.[0]).toBe(itemTypes[0])
    expect(one?.some((options) => options.join() === 'None,Short,Three-Quarter,Long')).toBe(true)
  })

  it('stay within what a decision model takes', () => {
    const unsure = Object.fromEntries(
      ['type', 'pattern', 'sleeve', 'neckline', 'fit', 'closure', 'fabric'].map((head) => [head, {}]),
    )
    const questions = writeQuestions({ heads: headsOf(unsure), colour }, 1, 'always')
    expect(questions.length).toBeLessThanOrEqual(64)
    for (const { options, text } of questions) {
      expect(Object.keys(options).length).toBeGreaterThanOrEqual(2)
      expect(Object.keys(options).length).toBeLessThanOrEqual(255)
      expect(text).not.toBe('')
    }
  })
})

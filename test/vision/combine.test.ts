import { describe, expect, it } from 'vitest'
import { createCombine, type Opinion, type WeightTable } from '../../src/vision/opinion.ts'

const table = (network: number, opinion: number): WeightTable => ({
  version: 'test',
  standard: { network, opinion },
  attributes: {},
})
const opinionOf = (answers: Opinion['answers']): Opinion => ({ model: 'm', answers })
const ranked = [
  { value: 'Jumper', probability: 0.5 },
  { value: 'Cardigan', probability: 0.3 },
  { value: 'Coat', probability: 0.2 },
]
const sum = (all: readonly { probability: number }[]) => all.reduce((total, { probability }) => total + probability, 0)

describe('both opinions together', () => {
  it('are those of the network where nobody else spoke', () => {
    expect(createCombine(undefined)('Item Type', ranked)).toBe(ranked)
    expect(createCombine(opinionOf({ Fit: { Slim: 1 } }))('Item Type', ranked)).toBe(ranked)
  })

  it('are the product of both, weighed and scaled', () => {
    const combine = createCombine(opinionOf({ 'Item Type': { Jumper: 0.1, Cardigan: 0.8, Coat: 0.1 } }), table(1, 1))
    const combined = combine('Item Type', ranked)
    expect(combined.map(({ value }) => value)).toEqual(['Cardigan', 'Jumper', 'Coat'])
    expect(combined[0]?.probability).toBeCloseTo(0.24 / (0.05 + 0.24 + 0.02), 9)
    expect(sum(combined)).toBeCloseTo(1, 9)
  })

  it('are the network alone with the weight 0', () => {
    const combine = createCombine(opinionOf({ 'Item Type': { Jumper: 0, Cardigan: 1, Coat: 0 } }), table(1, 0))
    for (const [index, { probability }] of combine('Item Type', ranked).entries())
      expect(probability).toBeCloseTo(ranked[index]?.probability ?? 0, 9)
  })

  it('cannot rule an option out by one of them alone', () => {
    const combine = createCombine(opinionOf({ 'Item Type': { Jumper: 0, Cardigan: 1, Coat: 0 } }), table(1, 1))
    expect(combine('Item Type', ranked)[1]).toMatchObject({ value: 'Jumper' })
    expect(combine('Item Type', ranked)[1]?.probability).toBeGreaterThan(0.005)
  })

  it('leave values alone that were no options, and ignore options that do not apply', () => {
    const combine = createCombine(opinionOf({ 'Item Type': { Jumper: 0.1, Cardigan: 0.3, Skirt: 0.6 } }), table(1, 1))
    const combined = combine('Item Type', ranked)
    expect(combined.find(({ value }) => value === 'Coat')?.probability).toBe(0.2)
    expect(combined.some(({ value }) => value === ('Skirt' as string))).toBe(false)
    expect(combined.find(({ value }) => value === 'Cardigan')?.probability).toBeCloseTo(
      (0.8 * (0.375 * 0.75)) / (0.375 * 0.75 + 0.625 * 0.25),
      9,
    )
    expect(sum(combined)).toBeCloseTo(1, 9)
  })
})

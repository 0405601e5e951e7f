import { describe, expect, it } from 'vitest'
import { createRandom } from '../../training/flat-lay/random.ts'
import { fitWeights, type Labelled } from '../../training/second-opinion/fit-weights.ts'
import { readLabels } from '../../training/second-opinion/read-labels.ts'

const start = { network: 1, opinion: 0.5 }

/** Ten options; each side is sure of one, which is the truth so often. */
function labelled(rightOfNetwork: number, rightOfOpinion: number, count = 150): Labelled[] {
  const { next } = createRandom(5)
  const sure = (right: number, truth: number) => {
    const chosen = next() < right ? truth : (truth + 1 + Math.floor(next() * 9)) % 10
    return Array.from({ length: 10 }, (_, option) => (option === chosen ? 0.8 : 0.2 / 9))
  }
  return Array.from({ length: count }, () => {
    const truth = Math.floor(next() * 10)
    return { network: sure(rightOfNetwork, truth), opinion: sure(rightOfOpinion, truth), truth }
  })
}

describe('the weights of both opinions', () => {
  it('are those of the one that is right more often', () => {
    const better = fitWeights(labelled(0.6, 0.95), start)
    expect(better.opinion).toBeGreaterThan(better.network)
    const worse = fitWeights(labelled(0.9, 0.5), start)
    expect(worse.opinion).toBeLessThan(worse.network)
  })

  it('are next to nothing for one that guesses', () => {
    expect(fitWeights(labelled(0.8, 0.1, 400), start).opinion).toBeLessThanOrEqual(0.1)
  })

  it('stay near the start where labels are few', () => {
    const fitted = fitWeights(labelled(0.8, 0.1, 1), start)
    expect(Math.abs(fitted.opinion - start.opinion)).toBeLessThan(0.4)
  })
})

describe('the labels of an export', () => {
  const garment = (more: object) => ({
    tag: { 'Item Type': 'Cardigan', Fit: 'Slim' },
    second_opinion: {
      attributes: {
        'Item Type': { network: { Jumper: 0.6, Cardigan: 0.3 }, opinion: { Jumper: 0.1, Cardigan: 0.85 } },
        shown: { network: { flat: 1 }, opinion: { flat: 1 } },
      },
    },
    ...more,
  })

  it('are the values that a person corrected or confirmed, and all other values together are one option', () => {
    const labels = readLabels([garment({ corrected: ['Item Type'] }), garment({ confirmed: ['Item Type', 'Fit'] })])
    expect([...labels.keys()]).toEqual(['Item Type'])
    expect(labels.get('Item Type')?.length).toBe(2)
    const [first] = labels.get('Item Type') ?? []
    expect(first?.truth).toBe(1)
    expect(first?.network.map((each) => Math.round(each * 100))).toEqual([60, 30, 10])
    expect(first?.opinion.map((each) => Math.round(each * 100))).toEqual([10, 85, 5])
  })

  it('leave out what nobody looked at, and garments without a second opinion', () => {
    expect(
      readLabels([garment({}), { tag: { 'Item Type': 'Coat' }, corrected: ['Item Type'] }, { tag: null }]).size,
    ).toBe(0)
  })

  it('know a value that neither found likely', () => {
    const labels = readLabels([garment({ tag: { 'Item Type': 'Coat' }, corrected: ['Item Type'] })])
    expect(labels.get('Item Type')?.[0]?.truth).toBe(2)
  })
})

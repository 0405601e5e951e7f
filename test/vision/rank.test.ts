import { describe, expect, it } from 'vitest'
import { confidenceOf, rank, scaleRanked, toEntries } from '../../src/vision/rank.ts'

describe('rank', () => {
  it('turns weights into probabilities that sum to 1, best first', () => {
    expect(
      rank([
        ['A', 1],
        ['B', 3],
      ]),
    ).toEqual([
      { value: 'B', probability: 0.75 },
      { value: 'A', probability: 0.25 },
    ])
  })

  it('gives no probability at all where nothing has a weight', () => {
    expect(rank([['A', 0]])).toEqual([{ value: 'A', probability: 0 }])
  })
})

describe('confidence', () => {
  it('is High from 0.85 and Medium from 0.6', () => {
    expect([0.86, 0.85, 0.849, 0.6, 0.59].map(confidenceOf)).toEqual(['High', 'High', 'Medium', 'Medium', 'Low'])
  })

  it('comes with at most three alternatives, best first, never the value itself', () => {
    const ranked = rank([
      ['A', 5],
      ['B', 1],
      ['C', 2],
      ['D', 1.5],
      ['E', 1.2],
    ])
    expect(toEntries('Fit', ranked)).toEqual({
      Fit: 'A',
      'Fit Alternatives': ['C', 'D', 'E'],
      'Fit Confidence': 'Low',
    })
  })

  it('falls where doubt is added', () => {
    const ranked = rank([['A', 1]])
    expect(toEntries('Fit', scaleRanked(ranked, 0.5))['Fit Confidence']).toBe('Low')
  })

  it('leaves alternatives out that are all but impossible', () => {
    const ranked = rank([
      ['A', 988],
      ['B', 8],
      ['C', 4],
    ])
    expect(toEntries('Fit', ranked)['Fit Alternatives']).toEqual(['B'])
  })

  it('has no entry where an attribute does not apply', () => {
    expect(toEntries('Fit', [])).toEqual({})
  })
})

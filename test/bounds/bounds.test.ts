import { describe, expect, it } from 'vitest'
import { boundText } from '../../src/bounds/bound-text.ts'
import { createPageBudget } from '../../src/bounds/create-page-budget.ts'
import { createTurns } from '../../src/bounds/create-turns.ts'

describe('text that is stored or answered', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['abc😀d', 5, 'abc…'],
    ['a\ud83d', 5, 'a\ufffd'],
  ])('%j is bounded to %i characters as %j', (text, maxLength, bounded) => {
    expect(boundText(text, maxLength)).toBe(bounded)
  })
})

describe('a loop over input', () => {
  it('yields once for each 100,000 units of work, and not otherwise', async () => {
    let yields = 0
    const spendWork = createTurns(async () => void (await Promise.resolve(yields++)))
    for (let i = 0; i < 1000; i++) await spendWork(999)
    expect(yields).toBe(9)
    await spendWork(1_000_000)
    expect(yields).toBe(10)
  })
})

describe('a page by bytes', () => {
  it('takes rows until their bytes are too many, and one at least', () => {
    const isOfPage = createPageBudget(10)
    expect(['äää', 'abcd', 'e'].map(isOfPage)).toEqual([true, true, false])
    expect(createPageBudget(2)('äää')).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { rankClosure } from '../../../src/vision/attributes/rank-closure.ts'
import { confidenceOf } from '../../../src/vision/rank.ts'

describe('rankClosure', () => {
  it('follows what is seen along the front', () => {
    const front = { none: 0.02, placket: 0.01, buttons: 0.02, zip: 0.95 }
    expect(rankClosure('Jacket', front)[0]).toMatchObject({ value: 'Zip' })
    expect(rankClosure('Jacket', { ...front, zip: 0.02, buttons: 0.95 })[0]).toMatchObject({ value: 'Button' })
  })

  it('is of Low confidence where nothing can be seen', () => {
    const [best] = rankClosure('Skirt', { none: 1, placket: 0, buttons: 0, zip: 0 })
    expect(confidenceOf(best!.probability)).toBe('Low')
  })
})

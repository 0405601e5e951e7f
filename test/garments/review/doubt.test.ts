import { describe, expect, it } from 'vitest'
import {
  allowedValues,
  dependsOnItemType,
  rankedNames,
  reviewedNames,
} from '../../../src/garments/corrections/allowed-values.ts'
import { claimGarment, leaseMs } from '../../../src/garments/review/review.ts'
import { chooseReviewed, correctTag, db, insertGarment } from './complete-garment.ts'

describe('the doubt of a garment', () => {
  it.each(rankedNames())('brings a garment with a doubtful %s to the review, until that is confirmed', async (name) => {
    const tenantId = crypto.randomUUID()
    const value = [allowedValues(name, 'T-Shirt') ?? []].flat()[0] ?? ''
    const tag = { 'Item Type': 'T-Shirt', 'Item Type Confidence': 'High', [name]: value, [`${name} Confidence`]: 'Low' }
    const correct = async (values: Record<string, string>) => await correctTag(tenantId, 'g', values, 1)
    await chooseReviewed(
      tenantId,
      reviewedNames().filter((each) => each === name),
    )
    await insertGarment(tenantId, 'g', { tag })
    const claim = async (nowMs: number) => await claimGarment(db, tenantId, 's', nowMs)
    expect(await claim(0)).toBe(reviewedNames().includes(name) ? 'g' : null)
    await correct({ 'Item Type': 'Bag' })
    expect(await claim(leaseMs)).toBe(dependsOnItemType(name) || name === 'Item Type' ? null : 'g')
    await correct({ 'Item Type': 'T-Shirt', [name]: value })
    expect(await claim(2 * leaseMs)).toBe(null)
  })

  describe('whose only doubt is a value of the label', () => {
    const read = (confidence: 'High' | 'Low') => ({
      tag: { 'Item Type': 'T-Shirt', 'Item Type Confidence': 'High' },
      label: { Size: { value: 'M', confidence, picture: 'p', box: [0, 0, 9, 9] as [number, number, number, number] } },
    })
    const claim = async (tenantId: string, nowMs = 0) => await claimGarment(db, tenantId, 's', nowMs)

    it('is reviewed if the value is Low, until somebody confirms it', async () => {
      const tenantId = crypto.randomUUID()
      await insertGarment(tenantId, 'g', read('Low'))
      expect(await claim(tenantId)).toBe('g')
      await correctTag(tenantId, 'g', { Size: 'M' }, 1)
      expect(await claim(tenantId, leaseMs)).toBe(null)
    })

    it.each([
      ['the value is High', read('High')],
      ['the client gave another', { ...read('Low'), attribute: '{"size_label":"L"}' }],
      ['it was rejected', { ...read('Low'), corrections: '{"tag":{},"measurements":{},"rejected":{"Size":"M"}}' }],
    ])('is not reviewed if %s', async (_, garment) => {
      const tenantId = crypto.randomUUID()
      await insertGarment(tenantId, 'g', garment)
      expect(await claim(tenantId)).toBe(null)
    })
  })
})

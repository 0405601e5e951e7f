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
})

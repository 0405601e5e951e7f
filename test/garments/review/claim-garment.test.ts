import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { claimGarment, leaseMs } from '../../../src/garments/review/review.ts'
import { reviewedNames } from '../../../src/garments/corrections/allowed-values.ts'
import { bindings } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { storedResult } from '../../support/stored-result.ts'
import { chooseReviewed, correctTag, db, insertGarment, machineTag, updateDoubt } from './complete-garment.ts'
import { insertGarments } from '../../support/stored-garment/insert-garments.ts'

const sure = { 'Item Type': 'Skirt', 'Item Type Confidence': 'High', Colour: 'Navy', 'Colour Confidence': 'High' }
const confirm = async (tenantId: string, uuid: string, tag: Record<string, string>) =>
  await correctTag(tenantId, uuid, tag, 1)

describe('the review queue', () => {
  it('returns the most doubtful garment first, of equal ones the newest, and none with only High values', async () => {
    const tenantId = crypto.randomUUID()
    const medium = { ...sure, 'Item Type Confidence': 'Medium', 'Colour Confidence': 'Medium' }
    await insertGarment(tenantId, 'sure', { tag: sure })
    await insertGarment(tenantId, 'medium', { tag: medium, createdAt: 1 })
    await insertGarment(tenantId, 'newer', { tag: medium, createdAt: 2 })
    await insertGarment(tenantId, 'low', { tag: { ...sure, 'Colour Confidence': 'Low' } })
    await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
    await insertGarment(crypto.randomUUID(), 'of another tenant')
    const claimed = []
    for (let i = 0; i < 4; i++) claimed.push(await claimGarment(db, tenantId, 's', 0))
    expect(claimed).toEqual(['low', 'newer', 'medium', null])
  })

  it('never returns a garment to two sessions, before the lease ends', async () => {
    const tenantId = crypto.randomUUID()
    for (let i = 0; i < 20; i++) await insertGarment(tenantId, `g${i}`)
    const claimAll = async (nowMs: number) =>
      await Promise.all(Array.from({ length: 21 }, (_, i) => claimGarment(db, tenantId, `s${i}`, nowMs)))
    const first = await claimAll(1000)
    expect([new Set(first).size, first.filter((uuid) => uuid === null).length]).toEqual([21, 1])
    expect(await claimGarment(db, tenantId, 'late', 1000 + leaseMs - 1)).toBe(null)
    expect(new Set(await claimAll(1000 + leaseMs)).size).toBe(21)
  })

  it('leaves out a garment once each value in doubt is confirmed or corrected', async () => {
    const tenantId = crypto.randomUUID()
    await chooseReviewed(tenantId, ['Fabric Type'])
    await insertGarment(tenantId, 'g')
    await confirm(tenantId, 'g', { Colour: 'Navy', Fit: 'Slim', 'Item Type': 'T-Shirt' })
    expect(await claimGarment(db, tenantId, 's', 0)).toBe('g')
    await confirm(tenantId, 'g', { 'Fabric Type': 'Jersey' })
    expect(await claimGarment(db, tenantId, 's', leaseMs)).toBe(null)
  })

  it('ignores the doubtful fit and fabric of a garment whose item type was corrected', async () => {
    const tenantId = crypto.randomUUID()
    await chooseReviewed(tenantId, reviewedNames())
    await insertGarment(tenantId, 'g')
    await confirm(tenantId, 'g', { 'Item Type': 'Skirt', Colour: 'Navy' })
    expect(await claimGarment(db, tenantId, 's', 0)).toBe(null)
  })

  it('reads a few rows with 5,000 garments in doubt', async () => {
    const tenantId = crypto.randomUUID()
    const result = storedResult({ tag: machineTag })
    await insertGarments(db, 5000, () => ({ tenantId, result }))
    await updateDoubt(tenantId)
    const { DB, counts } = countDatabase(bindings.DB)
    for (let i = 0; i < 5; i++) await claimGarment(openDatabase(DB), tenantId, `s${i}`, 1)
    expect(counts.rowsRead).toBeLessThanOrEqual(5 * 16)
  })
})

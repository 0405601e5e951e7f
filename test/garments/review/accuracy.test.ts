import { describe, expect, it } from 'vitest'
import { listReviewCounts, shareStood, sumStood, weekOf } from '../../../src/garments/review/review-outcomes.ts'
import { correctTag, db, insertGarment } from './complete-garment.ts'

const week = 7 * 24 * 3600_000
const monday = Date.UTC(2026, 10, 16)

const review = async (tenantId: string, tag: Record<string, string | null>, nowMs: number, uuid = 'g') =>
  await correctTag(tenantId, uuid, tag, nowMs)

describe('a review', () => {
  it('is counted by week, attribute and confidence, confirmations as standing', async () => {
    const tenantId = crypto.randomUUID()
    for (const uuid of ['g', 'h']) await insertGarment(tenantId, uuid)
    await review(tenantId, { Colour: 'Navy', Fit: 'Slim', Pattern: 'Plain', Brand: 'Ann' }, monday - 1)
    await review(tenantId, { Colour: 'Black', Fit: 'Regular' }, monday, 'h')
    const weeks = await listReviewCounts(db, tenantId, 3, monday + week)
    expect(weeks).toEqual([
      { week: '2026-11-09', counts: { 'Colour Low stood': 1, 'Fit Medium changed': 1, 'Pattern High stood': 1 } },
      { week: '2026-11-16', counts: { 'Colour Low changed': 1, 'Fit Medium stood': 1 } },
      { week: '2026-11-23', counts: {} },
    ])
    expect(sumStood(weeks, ['Colour'], 'Low')).toEqual({ stood: 1, count: 2 })
    expect(sumStood(weeks, ['Colour', 'Fit'], 'Medium')).toEqual({ stood: 1, count: 2 })
  })

  it('counts once, in the week of its last change, also when it is taken back', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'g')
    const counts = async () => (await listReviewCounts(db, tenantId, 2, monday)).map((each) => each.counts)
    await review(tenantId, { Colour: 'Navy' }, monday - 1)
    await review(tenantId, { Colour: 'Black' }, monday)
    expect(await counts()).toEqual([{ 'Colour Low stood': 0 }, { 'Colour Low changed': 1 }])
    await review(tenantId, { Colour: null }, monday + 1)
    expect(await counts()).toEqual([{ 'Colour Low stood': 0 }, { 'Colour Low changed': 0 }])
  })

  it('is counted once for each of many people who review at the same time', async () => {
    const tenantId = crypto.randomUUID()
    const uuids = Array.from({ length: 10 }, (_, i) => `g${i}`)
    for (const uuid of uuids) await insertGarment(tenantId, uuid)
    await Promise.all(uuids.map((uuid) => review(tenantId, { Colour: 'Navy' }, monday, uuid)))
    expect(sumStood(await listReviewCounts(db, tenantId, 1, monday), ['Colour'], 'Low')).toEqual({
      stood: 10,
      count: 10,
    })
  })
})

it.each([
  [Date.UTC(2026, 10, 22, 23, 59), '2026-11-16'],
  [Date.UTC(2026, 10, 23), '2026-11-23'],
  [Date.UTC(2027, 0, 1), '2026-12-28'],
])('the week of %d begins on %s', (ms, week) => {
  expect(weekOf(ms)).toBe(week)
})

it("the share of values that stood has Wilson's interval, also for all or none", () => {
  // Reference values from Brown, Cai and DasGupta's definition, computed independently.
  expect(shareStood({ stood: 8, count: 10 })).toMatchObject({
    share: 0.8,
    low: expect.closeTo(0.4902, 4),
    high: expect.closeTo(0.9433, 4),
  })
  expect(shareStood({ stood: 5, count: 5 })).toMatchObject({ share: 1, low: expect.closeTo(0.5655, 4), high: 1 })
  expect(shareStood({ stood: 0, count: 5 })).toMatchObject({
    share: 0,
    low: expect.closeTo(0),
    high: expect.closeTo(0.4345, 4),
  })
  expect(shareStood({ stood: 0, count: 0 })).toBe(null)
})

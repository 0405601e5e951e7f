import { describe, expect, it } from 'vitest'
import { cutPage, parseCursor } from '../../../src/platform/db/page.ts'

const positionOf = (row: { at: number; id: string }) => row
const rows = [
  { at: 30, id: 'c' },
  { at: 20, id: 'b_1' },
  { at: 10, id: 'a' },
]

describe('a page of a list', () => {
  it('says where the next page begins when more rows were read than it shows', () => {
    const page = cutPage(rows, 2, positionOf)
    expect(page).toEqual({ rows: rows.slice(0, 2), nextCursor: '20_b_1' })
    expect(parseCursor(page.nextCursor ?? undefined)).toEqual(rows[1])
  })

  it.each([3, 4])('is the last one when all rows fit into a limit of %i', (limit) => {
    expect(cutPage(rows, limit, positionOf)).toEqual({ rows, nextCursor: null })
  })

  it('may be empty', () => {
    expect(cutPage([], 2, positionOf)).toEqual({ rows: [], nextCursor: null })
  })
})

describe('a cursor', () => {
  it('of the first page is absent', () => {
    expect(parseCursor(undefined)).toBe(undefined)
  })

  it.each(['', 'x', '1', '1_', '_a', `1_${'x'.repeat(129)}`, '1234567890123456_a'])('like %j is refused', (cursor) => {
    expect(() => parseCursor(cursor)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

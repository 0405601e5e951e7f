import { describe, expect, it } from 'vitest'
import { addChange, describeChanges, parseChanges } from '../../../src/garments/corrections/attributes.ts'

const by = { kind: 'member', id: crypto.randomUUID(), name: 'Ann' } as const

describe('the history of attributes', () => {
  it('has what they were, of those that changed only', () => {
    const first = addChange(
      null,
      [
        { Price: '5', Size: 'M' },
        { Price: '6', Size: 'M', Shelf: 'A' },
      ],
      { by, at: 1 },
    )
    const second = addChange(first, [{ Price: '6', Size: 'M' }, { Price: '6' }], { by, at: 2 })
    expect(parseChanges(second)).toEqual([
      { at: 1, by, before: { Price: '5', Shelf: null } },
      { at: 2, by, before: { Size: 'M' } },
    ])
    expect(parseChanges(null)).toEqual([])
  })

  it('is at most 2,000 characters long, without the oldest', () => {
    let stored: string | null = null
    for (let at = 1; at <= 100; at++) {
      stored = addChange(stored, [{ Price: `${at}` }, { Price: `${at + 1}` }], { by, at })
      expect(stored.length).toBeLessThanOrEqual(2000)
    }
    const changes = parseChanges(stored)
    expect(changes.length).toBeGreaterThanOrEqual(10)
    expect(changes.at(-1)).toEqual({ at: 100, by, before: { Price: '100' } })
  })

  it('keeps the shorter values of a change that is too long, and the names of some others', () => {
    const names = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(64, 'n'))
    const before = Object.fromEntries(names.map((name) => [name, 'x'.repeat(512)]))
    const stored = addChange(null, [{ ...before, Price: '5' }, {}], { by: { ...by, name: 'n'.repeat(60) }, at: 1e13 })
    expect(stored.length).toBeLessThanOrEqual(2000)
    const [change] = parseChanges(stored)
    expect(Object.keys(change?.before ?? {})).toEqual(['Price', ...names.slice(0, 2)])
    expect(change?.omitted).toEqual(names.slice(2, 7))
  })

  it('is told in a sentence', () => {
    expect(describeChanges({ Price: '5', Size: 'M' }, { Price: '6', Shelf: 'A' })).toBe(
      'Price: 5 → 6; Size: M, removed; Shelf: A, added',
    )
  })
})

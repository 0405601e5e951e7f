import { describe, expect, it } from 'vitest'
import { findNearMisses, nearMissSentence } from '../../../src/http/validation/near-misses.ts'

const fields = ['uuid', 'image_url', 'attribute', 'to']

describe('an unknown field', () => {
  it.each([
    ['attributes', 'attribute'],
    ['Attribute', 'attribute'],
    ['atribute', 'attribute'],
    ['imageUrl', 'image_url'],
    ['img_url', 'image_url'],
    ['uid', 'uuid'],
  ])('%s is a near miss of %s', (name, meant) => {
    expect(findNearMisses({ [name]: 1 }, fields).map(nearMissSentence)).toEqual([
      `${name}: is not a field; did you mean ${meant}?`,
    ])
  })

  it.each(['note', 'image', 'url', 'id', 'do', 'x'.repeat(60_000)])('%.20s is none', (name) => {
    expect(findNearMisses({ [name]: 1 }, fields)).toEqual([])
  })

  it('is named by its beginning where signs that are no letters make it long', () => {
    expect(findNearMisses({ [`uid${'.'.repeat(60_000)}`]: 1 }, fields)).toEqual([
      { name: `uid${'.'.repeat(60)}…`, meant: 'uuid' },
    ])
  })

  it('is none beside the field itself', () => {
    expect(findNearMisses({ attribute: {}, attributes: {} }, fields)).toEqual([])
  })
})

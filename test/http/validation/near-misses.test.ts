import { describe, expect, it } from 'vitest'
import { findNearMisses } from '../../../src/http/validation/near-misses.ts'

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
    expect(findNearMisses({ [name]: 1 }, fields)).toEqual([`${name}: is not a field; did you mean ${meant}?`])
  })

  it.each(['note', 'image', 'url', 'id', 'do', 'x'.repeat(60_000)])('%.20s is none', (name) => {
    expect(findNearMisses({ [name]: 1 }, fields)).toEqual([])
  })

  it('is none beside the field itself', () => {
    expect(findNearMisses({ attribute: {}, attributes: {} }, fields)).toEqual([])
  })
})

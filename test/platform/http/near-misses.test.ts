import { describe, expect, it } from 'vitest'
import { findNearMisses, nearMissSentence } from '../../../src/platform/http/validation.ts'

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

  it('is compared only if its name is short and it is one of the first ten', () => {
    expect(findNearMisses({ [`uid${'.'.repeat(60_000)}`]: 1 }, fields)).toEqual([])
    const others = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`other ${index}`, 1]))
    expect(findNearMisses({ uid: 1, ...others }, fields)).toHaveLength(1)
    expect(findNearMisses({ ...others, uid: 1 }, fields)).toEqual([])
  })

  it('is none beside the field itself', () => {
    expect(findNearMisses({ attribute: {}, attributes: {} }, fields)).toEqual([])
  })
})

import { ownNames } from '../export/shop/own-values.ts'
import { knownAttributes } from '../garment/fields.ts'
import { plainKey } from '../garment/plain-key.ts'
import type { Attribute } from '../vision/tagging.ts'
import type { AttributePatch } from './rules/change-attribute.ts'

const attributeOf = new Map([
  ...[...knownAttributes, ...Object.values(ownNames).flat()].map((name) => [plainKey(name), name] as const),
  ['text', 'Description'],
])

/** The attribute that holds a value of a listing: `price` is `Price`. A name that listings do not know is kept. */
const ofListing = (name: string) => attributeOf.get(plainKey(name)) ?? name

/** The changes by `attribute` and by `listing`, which goes before it where both name the same, in any spelling. */
export function withListing(current: Attribute, attribute: AttributePatch, listing: AttributePatch): AttributePatch {
  const ofShop = Object.fromEntries(Object.entries(listing).map(([name, value]) => [ofListing(name), value]))
  const named = Object.keys(ofShop).map(plainKey)
  const others = Object.entries(attribute).filter(([name]) => !named.includes(plainKey(name)))
  return { ...Object.fromEntries(others), ...inSpellingOf(current, ofShop) }
}

/**
 * A garment that has a `price` gets no `Price` beside it, and loses both. The names that the service itself reads are
 * its own.
 */
export function inSpellingOf(current: Attribute, patch: AttributePatch): AttributePatch {
  const spellings = (key: string) => Object.keys(current).filter((own) => plainKey(own) === plainKey(key))
  const spelled = (key: string) => (knownAttributes.includes(key) ? key : (spellings(key).at(-1) ?? key))
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, value]) =>
      (value === null ? spellings(key) : [spelled(key)]).map((own) => [own, value] as const),
    ),
  )
}

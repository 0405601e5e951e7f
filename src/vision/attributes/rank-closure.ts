import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import type { Prior } from '../taxonomy/types.ts'
import type { Conclusions } from '../network/judge/conclude.ts'
import { type Ranked, rank } from '../rank.ts'

/** Where nothing was seen and only the kind of garment speaks, certainty is cut to this share: it stays Low. */
const PRIOR_TRUST = 0.6

/** What of the front speaks for each closure. A zip in the side or back shows a bare front too. */
const EVIDENCE: Readonly<Record<string, (front: Conclusions['front']) => number>> = {
  Pullover: ({ none }) => none,
  Button: ({ buttons, placket }) => buttons + placket,
  Snap: ({ buttons, placket }) => buttons + placket,
  Toggle: ({ buttons }) => buttons,
  Zip: ({ zip }) => zip,
  'Open Front': ({ none }) => none,
  Tie: ({ none }) => none,
}

const SEEN_FRONT = new Set<ItemType>([
  'T-Shirt',
  'Polo Shirt',
  'Shirt',
  'Blouse',
  'Tank Top',
  'Sweatshirt',
  'Hoodie',
  'Jumper',
  'Cardigan',
  'Jacket',
  'Coat',
])

/** Closure from what shows along the centre line, weighed by what is usual for the item. */
export function rankClosure(itemType: ItemType, front: Conclusions['front']): Ranked {
  const item = itemOf(itemType)
  if (!SEEN_FRONT.has(itemType)) return rankByPrior(item.closure)
  const weights = Object.entries(item.closure).map(
    ([value, prior]) => [value, Math.sqrt(prior) * (0.02 + (EVIDENCE[value]?.(front) ?? 0.02))] as const,
  )
  return rank(weights)
}

function rankByPrior(prior: Prior): Ranked {
  return rank(Object.entries(prior)).map(({ value, probability }) => ({
    value,
    probability: probability * PRIOR_TRUST,
  }))
}

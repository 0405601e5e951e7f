import { namedFabrics, rankFabric } from './attributes/rank-values.ts'
import { readGender } from './attributes/wearer.ts'
import { alternativesOf, confidenceOf, type Ranked, roundProbability } from './rank.ts'
import type { Attribute } from './tagging.ts'
import { itemOf, type ItemType } from './taxonomy/item-types.ts'
import type { Evidence } from './attributes/catalogue.ts'
import {
  type Combine,
  type ComparedAnswer,
  type Opinion,
  rankShown,
  type StoredOpinion,
  weightTable,
} from './opinion.ts'
import type { Presentation } from './scene.ts'

/** With at most this probability by both opinions together, the picture contradicts a fabric. */
const maxUnlikely = 0.05

const categories: readonly (readonly [RegExp, 'Clothing' | 'Shoes' | 'Accessories'])[] = [
  [/^(clothing|clothes|apparel)$/i, 'Clothing'],
  [/^(shoes?|footwear)$/i, 'Shoes'],
  [/^accessor(y|ies)$/i, 'Accessories'],
]

interface Findings {
  readonly itemType: ItemType
  /** From both opinions, without regard to what the client supplied. */
  readonly types: Ranked<ItemType>
  readonly fabrics: Ranked
}

/**
 * Which of the client's attributes the picture contradicts. They are only compared: nothing that is concluded from the
 * picture depends on them.
 */
function findContradictions(attribute: Attribute, { itemType, types, fabrics }: Findings): readonly string[] {
  const item = itemOf(itemType)
  const isSure = confidenceOf(types[0]?.probability ?? 0) !== 'Low'
  const text = (attribute['Category'] ?? '').trim()
  const category = categories.find(([pattern]) => pattern.test(text))?.[1]
  const gender = readGender(attribute['Gender'] ?? '')
  const named = namedFabrics(attribute['Material'] ?? '').filter((fabric) =>
    fabrics.some(({ value }) => value === fabric),
  )
  const share = fabrics.reduce((sum, { value, probability }) => sum + (named.includes(value) ? probability : 0), 0)
  return [
    ...(isSure && category !== undefined && category !== item.category ? ['Category'] : []),
    ...(isSure && gender !== undefined && item.gender !== undefined && gender !== item.gender ? ['Gender'] : []),
    ...(isSure && named.length > 0 && share < maxUnlikely ? ['Material'] : []),
  ]
}

interface Concluded extends Evidence {
  readonly types: Ranked<ItemType>
  readonly combine: Combine
  /** The network's values by attribute, and those of the result. */
  readonly ofNetwork: Readonly<Record<string, Ranked>>
  readonly ranked: Readonly<Record<string, Ranked>>
  readonly shown: Presentation
}

/** What both said about each attribute of the result that was asked about. */
export function storeOpinion(opinion: Opinion, concluded: Concluded): StoredOpinion {
  const { attribute, heads, itemType, types, combine, ofNetwork, ranked, shown } = concluded
  const attributes = Object.entries(ranked).flatMap(([name, [best, ...others]]) => {
    const answer = opinion.answers[name]
    if (best === undefined || answer === undefined) return []
    const values = [best, ...alternativesOf(others)].map(({ value }) => value)
    return [[name, storeAnswer(ofNetwork[name] ?? [], answer, values)] as const]
  })
  const onShown = opinion.answers['shown']
  if (onShown !== undefined) attributes.push(['shown', storeAnswer(rankShown(heads.shown), onShown, [shown])])
  const fabrics = combine('Fabric Type', rankFabric(itemType, heads.fabric))
  return {
    model: opinion.model,
    weights: weightTable.version,
    attributes: Object.fromEntries(attributes),
    contradicts: findContradictions(attribute, { itemType, types, fabrics }),
  }
}

/** @param values of the result, in its order */
function storeAnswer(
  network: Ranked,
  answer: Readonly<Record<string, number>>,
  values: readonly string[],
): ComparedAnswer {
  const [bestOfNetwork] = network
  const [bestOfOpinion] = Object.entries(answer).sort(([, a], [, b]) => b - a)
  const named = new Set([
    ...values,
    ...[bestOfNetwork?.value, bestOfOpinion?.[0]].filter((value) => value !== undefined),
  ])
  const byNetwork = new Map(network.map(({ value, probability }) => [value, probability]))
  const rounded = (probabilityOf: (value: string) => number | undefined) =>
    Object.fromEntries([...named].map((value) => [value, roundProbability(probabilityOf(value) ?? 0)]))
  const both = { network: rounded((value) => byNetwork.get(value)), opinion: rounded((value) => answer[value]) }
  return { spoke: speaker(isBest(both.network, values[0]), isBest(both.opinion, values[0])), ...both }
}

const isBest = (probabilities: Readonly<Record<string, number>>, value: string | undefined) =>
  value !== undefined && probabilities[value] === Math.max(...Object.values(probabilities))

function speaker(isOfNetwork: boolean, isOfOpinion: boolean): ComparedAnswer['spoke'] {
  if (isOfNetwork) return isOfOpinion ? 'both' : 'network'
  return isOfOpinion ? 'opinion' : 'neither'
}

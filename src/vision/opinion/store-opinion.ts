import type { Evidence } from '../attributes/catalogue-entry.ts'
import { rankFabric } from '../attributes/rank-fabric.ts'
import type { ComparedAnswer, Opinion, StoredOpinion } from '../opinion.ts'
import { alternativesOf, type Ranked } from '../rank.ts'
import type { Shown } from '../scene.ts'
import type { ItemType } from '../taxonomy/item-types.ts'
import { type Combine, weightTable } from './combine.ts'
import { findContradictions } from './find-contradictions.ts'
import { rankShown } from './shown-question.ts'

interface Concluded extends Evidence {
  readonly types: Ranked<ItemType>
  readonly combine: Combine
  /** The network's values by attribute, and those of the result. */
  readonly ofNetwork: Readonly<Record<string, Ranked>>
  readonly ranked: Readonly<Record<string, Ranked>>
  readonly shown: Shown
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
    Object.fromEntries([...named].map((value) => [value, Math.round((probabilityOf(value) ?? 0) * 1000) / 1000]))
  const both = { network: rounded((value) => byNetwork.get(value)), opinion: rounded((value) => answer[value]) }
  return { spoke: speaker(isBest(both.network, values[0]), isBest(both.opinion, values[0])), ...both }
}

const isBest = (probabilities: Readonly<Record<string, number>>, value: string | undefined) =>
  value !== undefined && probabilities[value] === Math.max(...Object.values(probabilities))

function speaker(isOfNetwork: boolean, isOfOpinion: boolean): ComparedAnswer['spoke'] {
  if (isOfNetwork) return isOfOpinion ? 'both' : 'network'
  return isOfOpinion ? 'opinion' : 'neither'
}

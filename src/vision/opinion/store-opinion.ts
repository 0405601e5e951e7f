import type { Evidence } from '../attributes/catalogue-entry.ts'
import { rankFabric } from '../attributes/rank-fabric.ts'
import type { Opinion, StoredOpinion } from '../opinion.ts'
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

type StoredAnswer = StoredOpinion['answers'][string]

/** What both said about each attribute of the result that was asked about, in few bytes. */
export function storeOpinion(opinion: Opinion, concluded: Concluded): StoredOpinion {
  const { attribute, heads, itemType, types, combine, ofNetwork, ranked, shown } = concluded
  const answers = Object.entries(ranked).flatMap(([name, [best, ...others]]) => {
    const answer = opinion.answers[name]
    if (best === undefined || answer === undefined) return []
    const values = [best, ...alternativesOf(others)].map(({ value }) => value)
    return [[name, storeAnswer(ofNetwork[name] ?? [], answer, values)] as const]
  })
  const onShown = opinion.answers['shown']
  if (onShown !== undefined) answers.push(['shown', storeAnswer(rankShown(heads.shown), onShown, [shown])])
  const fabrics = combine('Fabric Type', rankFabric(itemType, heads.fabric))
  return {
    model: opinion.model,
    weights: weightTable.version,
    answers: Object.fromEntries(answers),
    contradicts: findContradictions(attribute, { itemType, types, fabrics }),
  }
}

/** @param values of the result, in its order */
function storeAnswer(
  network: Ranked,
  answer: Readonly<Record<string, number>>,
  values: readonly string[],
): StoredAnswer {
  const second = Object.entries(answer).sort(([, a], [, b]) => b - a)
  const firsts = [network[0]?.value, second[0]?.[0]].flatMap((value) => (value === undefined ? [] : [value]))
  const others = [...new Set(firsts)].filter((value) => !values.includes(value))
  const first = new Map(network.map(({ value, probability }) => [value, probability]))
  const thousandths = (probabilityOf: (value: string) => number | undefined) =>
    [...values, ...others].map((value) => Math.round((probabilityOf(value) ?? 0) * 1000))
  const both = [thousandths((value) => first.get(value)), thousandths((value) => answer[value])] as const
  return others.length === 0 ? both : [...both, others]
}

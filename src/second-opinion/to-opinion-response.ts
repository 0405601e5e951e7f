import { z } from '@hono/zod-openapi'
import type { StoredOpinion } from '../vision/opinion.ts'

const probabilities = z.record(z.string(), z.number())

export const opinionSchema = z.object({
  model: z.string().openapi({ description: 'The model that was asked.' }),
  weights: z.string().openapi({ description: 'The version of the weights that combined both.' }),
  attributes: z
    .record(
      z.string(),
      z.object({
        spoke: z
          .enum(['both', 'network', 'opinion', 'neither'])
          .openapi({ description: 'Whose likeliest value the result has.' }),
        network: probabilities.openapi({ description: 'What the embedded network said, 0 to 1.' }),
        opinion: probabilities.openapi({ description: 'What the second model said, 0 to 1.' }),
      }),
    )
    .openapi({ description: 'By attribute, and `shown`. Of all others the network alone spoke.' }),
  contradicts: z
    .array(z.string())
    .openapi({ description: 'The attributes of the upload that the picture contradicts. They changed nothing.' }),
})

type OpinionResponse = z.infer<typeof opinionSchema>

/** @param tag as predicted */
export function toOpinionResponse(
  { model, weights, answers, contradicts }: StoredOpinion,
  tag: Readonly<Record<string, string | string[]>>,
  shown: string,
): OpinionResponse {
  const attributes = Object.entries(answers).map(([name, [network, opinion, others = []]]) => {
    const given = name === 'shown' ? [shown] : [tag[name], tag[`${name} Alternatives`]].flat()
    const values = [...given.filter((value) => value !== undefined), ...others]
    const spoke = speaker(network.indexOf(Math.max(...network)) === 0, opinion.indexOf(Math.max(...opinion)) === 0)
    const toShares = (all: readonly number[]) =>
      Object.fromEntries(values.map((value, index) => [value, (all[index] ?? 0) / 1000]))
    return [name, { spoke, network: toShares(network), opinion: toShares(opinion) }] as const
  })
  return { model, weights, attributes: Object.fromEntries(attributes), contradicts: [...contradicts] }
}

function speaker(isOfNetwork: boolean, isOfOpinion: boolean): OpinionResponse['attributes'][string]['spoke'] {
  if (isOfNetwork) return isOfOpinion ? 'both' : 'network'
  return isOfOpinion ? 'opinion' : 'neither'
}

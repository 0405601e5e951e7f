import { getNetwork } from '../network/get-network.ts'
import type { Picture } from '../picture.ts'
import calibration from './calibration.json' with { type: 'json' }
import { type ClassProbabilities, classProbabilities, probabilityOf } from './class-probabilities.ts'
import { type LooksOutput, takeLooks } from './take-looks.ts'

/** Level of what lies outside of a picture, as in training. */
export const outsideLevel = 128

/** As measured on people who were not in training, in sizes other than the training's own; see the model card. */
export const settings = {
  wholeSize: 192,
  cropSize: 256,
  cropMargin: 1.12,
  nearSize: 192,
  landmarkSize: 288,
  weights: { whole: 0.21, crop: 0.28, mirrored: 0.21, near: 0.3 },
  neck: { size: 128, weights: { neckline: 0.6, type: 0.2 } },
  outside: outsideLevel,
}

type HeadName = keyof typeof calibration.temperatures

const headNames = Object.keys(calibration.temperatures) as HeadName[]

export interface Prediction {
  readonly outlines: LooksOutput['outlines']
  readonly landmarks: LooksOutput['landmarks']
  /** By the head's name. `presence` is `None`, `One` or `Several` garments; see `showsGarment`. */
  readonly heads: Readonly<Record<HeadName, ClassProbabilities>> & Readonly<Record<string, ClassProbabilities>>
}

/** What the network says about a picture, with calibrated probabilities. */
export async function predictPicture(picture: Picture): Promise<Prediction> {
  const network = await getNetwork()
  const { logits, outlines, landmarks } = await takeLooks(network, settings, picture)
  const read = (name: HeadName): ClassProbabilities => {
    const head = network.tags.heads.find((candidate) => candidate.name === name)
    const values = logits[name]
    if (head === undefined || values === undefined) throw new Error(`The network has no head ${name}`)
    return classProbabilities(head.classes, values, calibration.temperatures[name])
  }
  return {
    outlines,
    landmarks,
    heads: Object.fromEntries(headNames.map((name) => [name, read(name)])) as Prediction['heads'],
  }
}

/**
 * Whether the picture shows a garment at all. Log odds of presence and the probability of the best item type are
 * weighed so that as many pictures without a garment as possible are refused and at most 1 in 200 with one.
 */
export function showsGarment({ presence, type }: Pick<Prediction['heads'], 'presence' | 'type'>): boolean {
  const none = Math.min(1 - 1e-9, Math.max(1e-9, probabilityOf(presence, 'None')))
  const best = Math.max(...type.map(([, probability]) => probability))
  return Math.log((1 - none) / none) + calibration.refusal.weight * best >= calibration.refusal.limit
}

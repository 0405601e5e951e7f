import { getNetwork } from '../network/get-network.ts'
import type { Picture } from '../picture.ts'
import calibration from './calibration.json' with { type: 'json' }
import { type ClassProbabilities, classProbabilities } from './class-probabilities.ts'
import { type Looks, lookTwice } from './look-twice.ts'

/** As the network was trained; see its model card. */
const SETTINGS = { size: 192, cropMargin: 1.12, secondWeight: 0.6, outside: 128 }

export interface Impression {
  readonly outlines: Looks['outlines']
  readonly type: ClassProbabilities
  readonly pattern: ClassProbabilities
  readonly closure: ClassProbabilities
  readonly sleeve: ClassProbabilities
  readonly colour: ClassProbabilities
  /** `None`, `One` or `Several` garments. */
  readonly presence: ClassProbabilities
  /** `Flat`, `Hanging`, `Folded`, `Cut` or `Worn`. */
  readonly shown: ClassProbabilities
}

/** What the network says about a picture, with calibrated probabilities. */
export function lookAtPicture(picture: Picture): Impression {
  const network = getNetwork()
  const { logits, outlines } = lookTwice(network, SETTINGS, picture)
  const read = (name: keyof typeof calibration): ClassProbabilities => {
    const head = network.heads.find((candidate) => candidate.name === name)
    const values = logits[name]
    if (head === undefined || values === undefined) throw new Error(`The network has no head ${name}`)
    return classProbabilities(head.classes, values, calibration[name])
  }
  return {
    outlines,
    type: read('type'),
    pattern: read('pattern'),
    closure: read('closure'),
    sleeve: read('sleeve'),
    colour: read('colour'),
    presence: read('presence'),
    shown: read('shown'),
  }
}

import type { ColourSamples } from './sample-colours.ts'
import { toLinear } from './colour-spaces.ts'
import model from './colour-model.json' with { type: 'json' }

const outsideWeight = 0.7

const percentileShares = [0.1, 0.5, 0.9]

const grey = new Uint8Array(300).fill(128)

/**
 * Computes the colour model's input for the garment and for its surroundings, which show the light. Each contributes
 * the square roots of a histogram over the centres, and percentiles of lightness and of both chroma axes.
 * @param centres histogram centres in the space of `warp`
 */
export function colourFeatures({ inside, outside }: ColourSamples, centres: readonly (readonly number[])[]): number[] {
  const labs = toLabs(inside)
  const around = toLabs(outside.length === 0 ? grey : outside)
  return [
    ...histogram(labs, centres),
    ...histogram(around, centres).map((value) => value * outsideWeight),
    ...percentiles(labs),
    ...percentiles(around),
  ]
}

type Triple = readonly [number, number, number]

function histogram(labs: readonly Triple[], centres: readonly (readonly number[])[]): number[] {
  const shares = centres.map(() => 0)
  for (const lab of labs) {
    const [l, a, b] = warp(lab)
    let first = 0
    let second = 0
    let nearest = Infinity
    let next = Infinity
    for (let index = 0; index < centres.length; index++) {
      const centre = centres[index]!
      const dl = l - centre[0]!
      const da = a - centre[1]!
      const db = b - centre[2]!
      const away = dl * dl + da * da + db * db
      if (away < nearest) {
        second = first
        next = nearest
        first = index
        nearest = away
      } else if (away < next) {
        second = index
        next = away
      }
    }
    // Each sample is split between its two nearest centres, in inverse proportion to the squared distances.
    const share = next / (nearest + next + 1e-6)
    shares[first]! += share
    shares[second]! += 1 - share
  }
  return shares.map((value) => Math.sqrt(value / labs.length))
}

/** Stretches colours near grey, where colour names change over small distances. */
function warp([l, a, b]: Triple): Triple {
  const chroma = Math.hypot(a, b) + 1e-6
  const scale = (2 * chroma ** 0.75) / chroma
  return [l * 0.8, a * scale, b * scale]
}

function percentiles(labs: readonly Triple[]): number[] {
  const channels = ([0, 1, 2] as const).map((channel) => labs.map((lab) => lab[channel]).sort((x, y) => x - y))
  return percentileShares.flatMap((share) =>
    channels.map((sorted) => {
      const place = share * (sorted.length - 1)
      const low = Math.floor(place)
      const [before = 0, after = before] = [sorted[low], sorted[low + 1]]
      return (before + (after - before) * (place - low)) / 50
    }),
  )
}

function toLabs(samples: Uint8Array): Triple[] {
  return Array.from({ length: samples.length / 3 }, (_, index) => {
    const r = linear[samples[index * 3]!]!
    const g = linear[samples[index * 3 + 1]!]!
    const b = linear[samples[index * 3 + 2]!]!
    const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    const y = curve(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
    const z = curve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)] as const
  })
}

function curve(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116
}

const linear = Float64Array.from({ length: 256 }, (_, level) => toLinear(level))

export const colourFamilies: readonly string[] = model.families

interface Weights {
  readonly hidden: Int8Array
  readonly output: Int8Array
}

let weights: Weights | undefined

function getWeights(): Weights {
  weights ??= { hidden: decode(model.hidden.weights), output: decode(model.output.weights) }
  return weights
}

function decode(base64: string): Int8Array {
  return Int8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** Returns log probabilities of the families. The model has one hidden layer of rectified units. */
export function colourLogProbabilities(samples: ColourSamples): number[] {
  const { hidden, output } = getWeights()
  const inputs = colourFeatures(samples, model.centres).map((value, index) => value * model.hidden.inputScales[index]!)
  const units = model.hidden.biases.map((bias, unit) =>
    Math.max(
      0,
      inputs.reduce((sum, input, index) => sum + input * hidden[unit * inputs.length + index]!, bias),
    ),
  )
  const logits = model.output.biases.map((bias, family) =>
    units.reduce((sum, unit, index) => sum + unit * output[family * units.length + index]! * model.output.scale, bias),
  )
  const max = Math.max(...logits)
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - max), 0)) + max
  return logits.map((logit) => logit - total)
}

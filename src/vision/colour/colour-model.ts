import { colourFeatures } from './colour-features.ts'
import model from './colour-model.json' with { type: 'json' }
import type { ColourSamples } from './sample-colours.ts'

/** The model's classes. */
export const colourFamilies: readonly string[] = model.families

interface Weights {
  readonly hidden: Int8Array
  readonly output: Int8Array
}

let weights: Weights | undefined

/** Decodes them on first use, so that the isolate starts sooner. */
function getWeights(): Weights {
  weights ??= { hidden: decode(model.hidden.weights), output: decode(model.output.weights) }
  return weights
}

function decode(base64: string): Int8Array {
  return Int8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** Log probabilities of the families for the sampled pixels: one hidden layer of rectified units on their features. */
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

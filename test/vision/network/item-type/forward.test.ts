import { describe, expect, it } from 'vitest'
import { CLASSES, classify } from '../../../../src/vision/network/item-type/forward.ts'
import weights from '../../../../src/vision/network/item-type/weights.bin'
import samples from '../../../fixtures/fashion-mnist/samples.json'

const pixelsOf = (base64: string) => Float32Array.from(atob(base64), (character) => character.charCodeAt(0) / 255)
const best = (values: ArrayLike<number>) => Array.from(values).indexOf(Math.max(...Array.from(values)))

describe('classify', () => {
  it("agrees with PyTorch's logits of the same weights to a hundredth", () => {
    expect(samples).toHaveLength(20)
    for (const { pixels, logits } of samples) {
      const ours = classify(pixelsOf(pixels)).logits
      logits.forEach((logit, i) => expect(Math.abs(logit - ours[i]!)).toBeLessThan(0.01))
    }
  })

  it('names at least 18 of the 20 sample pictures as they are labelled, two of each class', () => {
    const right = samples.filter(({ pixels, label }) => best(classify(pixelsOf(pixels)).probabilities) === label)
    expect(right.length).toBeGreaterThanOrEqual(18)
    expect(new Set(samples.map(({ label }) => CLASSES[label])).size).toBe(CLASSES.length)
  })

  it('gives probabilities that sum to one, in the order of the logits', () => {
    const { logits, probabilities } = classify(pixelsOf(samples[0]!.pixels))
    expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 5)
    const byValue = (values: Float32Array) => Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!)
    expect(byValue(probabilities)).toEqual(byValue(logits))
  })

  it('answers a picture and its mirror image alike', () => {
    const pixels = pixelsOf(samples[4]!.pixels)
    const mirrored = pixels.map((_, i) => pixels[i - (i % 28) + 27 - (i % 28)]!)
    const [ours, theirs] = [classify(pixels).logits, classify(mirrored).logits]
    ours.forEach((logit, i) => expect(theirs[i]).toBeCloseTo(logit, 4))
  })

  it('leaves its input as it was and gives the same answer again', () => {
    const pixels = pixelsOf(samples[7]!.pixels)
    const before = pixels.slice()
    const first = classify(pixels)
    expect(pixels).toEqual(before)
    expect(classify(pixels)).toEqual(first)
  })

  it('refuses another number of places, and places that are no share of ink', () => {
    expect(() => classify(new Float32Array(783))).toThrow(RangeError)
    expect(() => classify(new Float32Array(785))).toThrow(RangeError)
    for (const wrong of [-0.01, 1.01, 255, NaN]) {
      expect(() => classify(new Float32Array(784).fill(wrong, 100, 101))).toThrow(RangeError)
    }
  })
})

describe('the weights file', () => {
  it('has at most 300 kilobytes', () => {
    expect(weights.byteLength).toBeLessThanOrEqual(300_000)
  })
})

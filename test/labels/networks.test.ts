import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import kernelsModule from '../../src/labels/network/kernels.wasm'
import { detectText } from '../../src/labels/network/detect-text.ts'
import { loadTextNetworks } from '../../src/labels/network/load-text-networks.ts'
import networks from '../../src/labels/network/networks.json'
import { recogniseLine } from '../../src/labels/network/recognise-line.ts'
import vectors from '../fixtures/labels/vectors.json'

const newMemory = () => new WebAssembly.Memory({ initial: 1, maximum: 1024 })

function load() {
  const [name] = networks.weights.parts
  const { buffer } = new Uint8Array(readFileSync(`src/dashboard/public/networks/${name}.bin`))
  return loadTextNetworks(kernelsModule, newMemory(), buffer)
}

/** The picture that `write_vectors.py` makes. */
function makePicture(width: number, height: number) {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      const place = pixel * 3 + channel
      data[pixel * 4 + 2 - channel] = (place * place * 7 + place * 31) % 256
    }
  }
  return { width, height, data }
}

const largestDifference = (read: readonly number[], wanted: readonly number[]) => {
  expect(read).toHaveLength(wanted.length)
  return read.reduce((most, value, i) => Math.max(most, Math.abs(value - wanted[i]!)), 0)
}

test('the detector answers as the original network does', () => {
  const [width, height] = [96, 64]
  const steps = detectText(load(), makePicture(width, height))
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const map = step.value
  const sampled = vectors.detected.map((_, i) => map[Math.floor(i / (width / 4)) * 4 * width + (i % (width / 4)) * 4]!)
  expect(largestDifference(sampled, vectors.detected)).toBeLessThan(0.01)
})

test('the recogniser answers as the original network does', () => {
  const { steps, outputs, values } = recogniseLine(load(), makePicture(64, 48))
  const kept = networks.characters.length + 1
  const read = Array.from({ length: steps }, (_, step) => step * outputs).flatMap((start) =>
    Array.from(values.subarray(start, start + kept), (logit) => logit - values[start]!).filter((_, i) => i % 6 === 0),
  )
  expect(largestDifference(read, vectors.recognised)).toBeLessThan(0.05)
})

test('a file that is too long is no network', () => {
  const [name] = networks.weights.parts
  const file = readFileSync(`src/dashboard/public/networks/${name}.bin`)
  const { buffer } = new Uint8Array([...file, 0, 0])
  expect(() => loadTextNetworks(kernelsModule, newMemory(), buffer)).toThrow(RangeError)
})

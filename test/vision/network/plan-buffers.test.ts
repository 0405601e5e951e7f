import { expect, test } from 'vitest'
import kernelsModule from '../../../src/vision/network/kernels.wasm'
import { loadNetwork } from '../../../src/vision/network/load-network.ts'
import { bytesOf, planBuffers } from '../../../src/vision/network/plan-buffers.ts'
import { makeNetwork } from './make-network.ts'

test.for([32, 160, 224, 256])('no tensor overwrites another that is still to be read, at %i', (size) => {
  const { description, weights } = makeNetwork(2, 0.5)
  const { steps, patches, outline, landmarks } = loadNetwork(kernelsModule, description, weights)
  const results = [outline, landmarks.maps]
  const { addresses, end } = planBuffers(steps, { patches, results }, size, 1024)
  const lastUse = (name: string) =>
    results.some((result) => result.name === name)
      ? steps.length
      : steps.findLastIndex(({ inputs }) => inputs.some((input) => input.name === name))
  const tensors = [
    { tensor: patches, from: -1 },
    ...steps.flatMap(({ output }, from) => (output ? [{ tensor: output, from }] : [])),
  ].map(({ tensor, from }) => {
    const start = addresses.get(tensor.name)!
    return { from, to: lastUse(tensor.name), start, end: start + bytesOf(tensor, size) }
  })
  for (const a of tensors) {
    expect(a.start).toBeGreaterThanOrEqual(1024)
    expect(a.start % 16).toBe(0)
    expect(a.end).toBeLessThanOrEqual(end)
    // A layer writes its output while it still reads its inputs.
    const besides = tensors.filter((b) => a !== b && a.from <= b.from && b.from <= a.to)
    expect(besides.filter((b) => a.start < b.end && b.start < a.end)).toEqual([])
  }
})

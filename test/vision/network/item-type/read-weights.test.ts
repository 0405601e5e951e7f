import { describe, expect, it } from 'vitest'
import { readWeights } from '../../../../src/vision/network/item-type/read-weights.ts'
import file from '../../../../src/vision/network/item-type/weights.bin'

describe('readWeights', () => {
  it('finds a residual network that goes from one channel to ten classes', () => {
    const { stem, blocks, head, classes, temperature } = readWeights(file)
    expect(stem.channelsIn).toBe(1)
    expect(head.channelsOut).toBe(classes.length)
    expect(classes).toHaveLength(10)
    expect(temperature).toBeGreaterThan(0)
    let channels = stem.channelsOut
    for (const { first, second, shortcut } of blocks) {
      expect(first.channelsIn).toBe(channels)
      expect(second.channelsIn).toBe(first.channelsOut)
      expect(shortcut === undefined).toBe(first.stride === 1)
      channels = second.channelsOut
    }
    expect(head.channelsIn).toBe(channels)
  })

  it('restores the quantised steps: each output channel reaches 127 steps of its scale', () => {
    const { weights, channelsOut } = readWeights(file).stem
    const each = weights.length / channelsOut
    for (let out = 0; out < channelsOut; out++) {
      const of = weights.subarray(out * each, (out + 1) * each)
      const scale = Math.max(...of.map(Math.abs)) / 127
      of.forEach((weight) => expect(Math.abs(weight / scale - Math.round(weight / scale))).toBeLessThan(1e-3))
    }
  })

  it('refuses a file that is cut short, too long, or none of its kind', () => {
    expect(() => readWeights(file.slice(0, -1))).toThrow(/bytes/)
    expect(() => readWeights(new Uint8Array([...new Uint8Array(file), 0]).buffer)).toThrow(/bytes/)
    expect(() => readWeights(new ArrayBuffer(0))).toThrow(/no weights/)
    expect(() => readWeights(new Uint8Array(20).fill(0x4e).buffer)).toThrow(/no weights/)
  })
})

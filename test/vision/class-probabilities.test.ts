import { describe, expect, it } from 'vitest'
import { classProbabilities, probabilityOf } from '../../src/vision/rank.ts'

const logits = Float32Array.of(2, 0, -1)
const names = ['A', 'B', 'C']

describe('classProbabilities', () => {
  it('are the softmax of the logits', () => {
    const classes = classProbabilities(names, logits, 1)
    expect(probabilityOf(classes, 'A')).toBeCloseTo(0.8438, 4)
    expect(classes.reduce((sum, [, probability]) => sum + probability, 0)).toBeCloseTo(1, 9)
  })

  it('grow less sure with the temperature', () => {
    expect(probabilityOf(classProbabilities(names, logits, 3), 'A')).toBeLessThan(0.6)
  })

  it('do not overflow', () => {
    expect(probabilityOf(classProbabilities(names, Float32Array.of(900, -900, 0), 1), 'A')).toBe(1)
  })

  it('are 0 of a class that the head does not have', () => {
    expect(probabilityOf(classProbabilities(names, logits, 1), 'Z')).toBe(0)
  })
})

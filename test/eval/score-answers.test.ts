import { describe, expect, it } from 'vitest'
import { scoreAnswers } from './score-answers.ts'

const rows = (...answers: number[][]) => Float32Array.from(answers.flat())

describe('scoreAnswers', () => {
  it('counts right answers and where the wrong ones went', () => {
    const { top1, confusion } = scoreAnswers(
      rows([0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.3, 0.7]),
      Uint8Array.of(0, 1, 1, 1),
    )
    expect(top1).toBe(0.75)
    expect(confusion).toEqual([
      [1, 0],
      [1, 2],
    ])
  })

  it('finds no calibration error where nine in ten answers of 0.9 are right, and its size elsewhere', () => {
    const labels = Uint8Array.from({ length: 10 }, (_, i) => (i === 0 ? 1 : 0))
    const sure = (top: number) => Float32Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? top : 1 - top))
    expect(scoreAnswers(sure(0.9), labels).ece).toBeCloseTo(0, 6)
    expect(scoreAnswers(sure(0.7), labels).ece).toBeCloseTo(0.2, 6)
    expect(scoreAnswers(sure(1), labels).ece).toBeCloseTo(0.1, 6)
  })

  it('does not let over- and underconfidence in different bins cancel out', () => {
    const answers = rows([0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.6, 0.4])
    expect(scoreAnswers(answers, Uint8Array.of(0, 1, 0, 0)).ece).toBeCloseTo(0.4, 6)
  })

  it('calls answers of 0.85 and more High', () => {
    const answers = rows([0.86, 0.14], [0.99, 0.01], [0.84, 0.16], [0.9, 0.1])
    const { highPrecision, highShare } = scoreAnswers(answers, Uint8Array.of(0, 1, 1, 0))
    expect(highShare).toBe(0.75)
    expect(highPrecision).toBeCloseTo(2 / 3, 6)
  })
})

import { shareStood } from '../../src/garments/review/review-outcomes.ts'

/** A share of `count` observations. */
export interface Share {
  readonly count: number
  readonly value: number
  /** Wilson's score interval, 95 %. */
  readonly low: number
  readonly high: number
}

/** The share of `hits` that are true, with its interval; all zero for none. */
export function shareOf(hits: readonly boolean[]): Share {
  const count = hits.length
  const { share, low, high } = shareStood({ stood: hits.filter(Boolean).length, count }) ?? {
    share: 0,
    low: 0,
    high: 0,
  }
  return { count, value: share, low, high }
}

/** The probability that an answer was given with, and whether it is right. */
export interface Answer {
  readonly probability: number
  readonly right: boolean
}

export interface Bin {
  readonly count: number
  readonly probability: number
  readonly right: number
}

const binCount = 15

/** Answers in 15 bins of equal mass by their probability, lowest first, each with both means. */
export function reliability(answers: readonly Answer[]): Bin[] {
  const sorted = [...answers].sort((a, b) => a.probability - b.probability)
  return Array.from({ length: binCount }, (_, bin) => {
    const part = sorted.slice(
      Math.round((bin * sorted.length) / binCount),
      Math.round(((bin + 1) * sorted.length) / binCount),
    )
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
    return {
      count: part.length,
      probability: mean(part.map(({ probability }) => probability)),
      right: mean(part.map(({ right }) => (right ? 1 : 0))),
    }
  })
}

/** Expected calibration error over those bins (arXiv 1706.04599, with bins of equal mass). */
export function calibrationError(answers: readonly Answer[]): number {
  const gap = reliability(answers).reduce(
    (sum, { count, probability, right }) => sum + count * Math.abs(probability - right),
    0,
  )
  return answers.length === 0 ? 0 : gap / answers.length
}

/**
 * The calibration error that as many answers with these probabilities have by chance alone: its mean over draws in
 * which each is right as often as its probability says. A measured error below it says nothing.
 * @param next uniform in [0, 1)
 */
export function chanceError(answers: readonly Answer[], next: () => number, rounds = 300): number {
  const draw = () => calibrationError(answers.map(({ probability }) => ({ probability, right: next() < probability })))
  return Array.from({ length: rounds }, draw).reduce((sum, error) => sum + error, 0) / rounds
}

/** The middle 95 % of a figure over resamples with replacement. @param next uniform in [0, 1) */
export function bootstrap<T>(
  items: readonly T[],
  figure: (sample: readonly T[]) => number,
  next: () => number,
  rounds = 300,
): { low: number; high: number } {
  if (items.length === 0) return { low: 0, high: 0 }
  const figures = Array.from({ length: rounds }, () =>
    figure(items.map(() => items[Math.floor(next() * items.length)]).filter((item) => item !== undefined)),
  ).sort((a, b) => a - b)
  return { low: figures[Math.floor(rounds * 0.025)] ?? 0, high: figures[Math.floor(rounds * 0.975)] ?? 0 }
}

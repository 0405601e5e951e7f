/** Of a calibrated probability of this on, the tagger's confidence is High. */
const HIGH = 0.85
const BINS = 15

export interface Scores {
  readonly top1: number
  /** Expected calibration error of the top probability over 15 bins of equal width (arXiv 1706.04599). */
  readonly ece: number
  /** Share of right answers among those given with High confidence, and the share of those among all. */
  readonly highPrecision: number
  readonly highShare: number
  /** `confusion[label][answer]` counts pictures. */
  readonly confusion: readonly (readonly number[])[]
}

/** `probabilities` has one row of class probabilities for each label. */
export function scoreAnswers(probabilities: Float32Array, labels: Uint8Array): Scores {
  const classes = probabilities.length / labels.length
  const confusion = Array.from({ length: classes }, () => Array.from({ length: classes }, () => 0))
  const gaps = Array.from({ length: BINS }, () => 0)
  let right = 0
  let high = 0
  let highRight = 0
  labels.forEach((label, i) => {
    const row = probabilities.subarray(i * classes, (i + 1) * classes)
    const top = Math.max(...row)
    const answer = row.indexOf(top)
    const hit = answer === label ? 1 : 0
    confusion[label]![answer]!++
    gaps[Math.min(BINS - 1, Math.floor(top * BINS))]! += top - hit
    right += hit
    if (top >= HIGH) {
      high++
      highRight += hit
    }
  })
  return {
    top1: right / labels.length,
    ece: gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / labels.length,
    highPrecision: highRight / high,
    highShare: high / labels.length,
    confusion,
  }
}

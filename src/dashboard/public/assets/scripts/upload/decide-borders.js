/* Decides where one garment's photographs end and the next one's begin. */
import { comparerOf } from './likeness.js'

/** The most pictures of a garment. */
export const maxPictures = 8

/** A garment's pictures with a photographed code before them. */
const longest = maxPictures + 1

/** Gap between two garments if a batch does not show its own. Few people take longer between two views of a garment. */
const usualGapMs = 25_000
const [shortestGapMs, longestGapMs] = [8000, 90_000]

/** Many cameras store no fractions of a second. */
const resolutionMs = 1000

/** Copying files gives many of them nearly the same time, which then says nothing. */
const copiedMs = 2000

/** Weight of a gap against likeness, and the most that one gap counts. */
const [gapWeight, maxGapScore] = [0.3, 2]

/** Pictures between two photographed codes belong to one garment, unless gaps and likeness clearly contradict. */
const codeScore = 0.5

/** A decision is doubtful if the opposite one scores at most this much less. */
const doubtfulMargin = 0.5

/** Nobody answers more questions than these, so only the most doubtful borders become questions. */
const maxQuestionShare = 0.14
const alwaysAllowedQuestions = 3

/**
 * Returns the time between two pictures in ms, or null if it is unknown. Camera times and file times are not compared,
 * because a camera's clock has no time zone.
 */
export function gapBetween(before, after) {
  if (before.takenAt !== null && after.takenAt !== null)
    return Math.max(Math.abs(after.takenAt - before.takenAt), resolutionMs)
  if (before.takenAt !== null || after.takenAt !== null || !before.savedAt || !after.savedAt) return null
  const gap = Math.abs(after.savedAt - before.savedAt)
  return gap < copiedMs ? null : gap
}

/**
 * Returns the gap that separates two garments in this batch: between its short and its long gaps, if these differ
 * clearly.
 */
export function usualLimit(gaps) {
  const logs = gaps.map(Math.log).toSorted((a, b) => a - b)
  const sum = (some) => some.reduce((total, value) => total + value, 0)
  let [limit, best] = [usualGapMs, 0]
  for (let i = 1; i < logs.length; i++) {
    const [short, long] = [logs.slice(0, i), logs.slice(i)]
    // Otsu's method: the best limit separates the means of both classes most.
    const apart = sum(long) / long.length - sum(short) / short.length
    const score = short.length * long.length * apart ** 2
    if (long[0] - short.at(-1) < Math.LN2 * 0.75 || score <= best) continue
    best = score
    limit = Math.exp((short.at(-1) + long[0]) / 2)
  }
  return Math.min(Math.max(limit, shortestGapMs), longestGapMs)
}

/** Scores a gap: above 0 if it is short for two garments, below 0 if it is long for one. */
const scoreGap = (gapMs, limitMs) =>
  Math.min(maxGapScore, Math.max(-maxGapScore, gapWeight * Math.log(limitMs / gapMs)))

/** Returns a function that scores consecutive pictures as one garment. A single picture scores 0. */
function scorerOf(pictures) {
  const likeness = comparerOf(pictures.map(({ colours }) => colours ?? null))
  // Pictures without a time are skipped: a gap lies between a picture and the last one before it with a time.
  const timed = pictures.map((_, i) => {
    for (let before = i - 1; before >= Math.max(0, i - maxPictures + 1); before--) {
      const gap = gapBetween(pictures[before], pictures[i])
      if (gap !== null) return { before, gap }
    }
    return null
  })
  const limit = usualLimit(timed.flatMap((each, i) => (each !== null && each.before === i - 1 ? [each.gap] : [])))
  const nextCode = pictures.map((_, i) => {
    const after = pictures.findIndex(({ code }, j) => j > i && code)
    return after === -1 ? pictures.length : after
  })
  return (start, end) => {
    const hasCode = Boolean(pictures[start].code)
    // If more pictures follow than one garment has, there are garments without a code among them.
    const isOnlyGarment = hasCode && nextCode[start] - start <= longest
    // The code itself is no picture of the garment.
    if (end - start > maxPictures + (hasCode ? 1 : 0)) return -Infinity
    let [gaps, likenesses] = [0, 0]
    for (let i = start + 1; i < end; i++) {
      // A photographed code starts a garment.
      if (pictures[i].code) return -Infinity
      if (timed[i] !== null && timed[i].before >= start) gaps += scoreGap(timed[i].gap, limit)
      for (let j = start; j < i; j++) likenesses += likeness(j, i) ?? 0
    }
    return gaps + likenesses / (end - start) + (isOnlyGarment ? codeScore * (end - start - 1) : 0)
  }
}

/** Returns the best total score of the first pictures, by their number, and where the last garment of each starts. */
function divideBest(count, score) {
  const totals = [0]
  const starts = [0]
  for (let end = 1; end <= count; end++) {
    totals[end] = -Infinity
    // Without any evidence, each picture stays alone.
    for (let start = end - 1; start >= Math.max(0, end - longest); start--) {
      const total = totals[start] + score(start, end)
      if (total > totals[end]) [totals[end], starts[end]] = [total, start]
    }
  }
  return { totals, starts }
}

/**
 * Groups pictures, in their order, into garments: the division with the best total score of gaps and likeness. Each
 * garment has `isDoubtful`, which is true if its border to the garment before is doubtful, and each picture that was
 * joined doubtfully is in `doubtful`.
 * @param pictures each with `takenAt`, `savedAt` (both in ms or null), and optionally `colours` and `code`
 */
export function groupByBorders(pictures) {
  const count = pictures.length
  const scoreOne = scorerOf(pictures)
  const scores = new Map()
  const score = (start, end) => {
    const key = start * (longest + 1) + end - start
    if (!scores.has(key)) scores.set(key, scoreOne(start, end))
    return scores.get(key)
  }
  const { totals, starts } = divideBest(count, score)
  const { totals: reversed } = divideBest(count, (start, end) => score(count - end, count - start))
  /** Returns how much better a border before this picture is than none. */
  const marginAt = (i) => {
    let joined = -Infinity
    for (let start = Math.max(0, i - longest + 1); start < i; start++)
      for (let end = i + 1; end <= Math.min(count, start + longest); end++)
        joined = Math.max(joined, totals[start] + score(start, end) + reversed[count - end])
    return totals[i] + reversed[count - i] - joined
  }
  const isBorder = new Set()
  for (let end = count; end > 0; end = starts[end]) isBorder.add(starts[end])
  const isDoubtful = findDoubtful(pictures.map((_, i) => (i === 0 ? Infinity : marginAt(i))))
  const groups = []
  pictures.forEach((picture, i) => {
    if (isBorder.has(i)) groups.push({ pictures: [picture], isDoubtful: isDoubtful.has(i), doubtful: [] })
    else {
      groups.at(-1).pictures.push(picture)
      if (isDoubtful.has(i)) groups.at(-1).doubtful.push(picture)
    }
  })
  return groups
}

/** Returns the indices of the most doubtful borders. Without any evidence, a margin is 0 and raises no question. */
function findDoubtful(margins) {
  const sizes = margins.map((margin, i) => ({ i, size: Math.abs(margin) }))
  const doubtful = sizes.filter(({ size }) => size > 0 && size < doubtfulMargin).toSorted((a, b) => a.size - b.size)
  const most = Math.max(alwaysAllowedQuestions, Math.floor(margins.length * maxQuestionShare))
  return new Set(doubtful.slice(0, most).map(({ i }) => i))
}

/* Decides where one garment's photographs end and the next one's begin, for each two neighbours separately. */

/** The most pictures of a garment. */
export const maxPictures = 8

/** Gap between two garments if a batch does not show its own. Few people take longer between two views of a garment. */
const usualGapMs = 25_000
const [shortestGapMs, longestGapMs] = [8000, 90_000]

/** Many cameras store no fractions of a second. */
const resolutionMs = 1000

/** Copying files gives many of them nearly the same time, which then says nothing. */
const copiedMs = 2000

/** A gap this close to the limit, as a natural logarithm of their ratio, is doubtful. */
const doubtfulRatio = 0.35

/** Pictures that are this much alike probably show one garment. Below the second value, they do not. */
const [alike, unlike] = [0.88, 0.82]

/**
 * Returns the time between two neighbours in ms, or null if it is unknown. Camera times and file times are not
 * compared, because a camera's clock has no time zone.
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

const isClear = (gapMs, limitMs) => gapMs !== null && Math.abs(Math.log(gapMs / limitMs)) >= doubtfulRatio

/** Returns the pictures whose time does not tell whether they belong to the garment before, with their predecessors. */
export function findUnclear(pictures) {
  const gaps = pictures.map((picture, i) => (i === 0 ? null : gapBetween(pictures[i - 1], picture)))
  const limit = usualLimit(gaps.filter((gap) => gap !== null))
  return pictures.flatMap((picture, i) => (i === 0 || isClear(gaps[i], limit) ? [] : [[pictures[i - 1], picture]]))
}

/**
 * Decides about the border between two neighbours.
 * @param gapMs the time between them, null if unknown
 * @param likeness from 0 to 1, null if unknown
 */
export function decideBorder(gapMs, limitMs, likeness) {
  const ratio = gapMs === null ? null : Math.log(gapMs / limitMs)
  if (isClear(gapMs, limitMs)) return { isBorder: ratio > 0, isDoubtful: false }
  if (likeness !== null && likeness >= alike) return { isBorder: false, isDoubtful: ratio === null }
  if (likeness !== null && likeness <= unlike) return { isBorder: true, isDoubtful: false }
  // Without time and likeness, nothing suggests that two pictures belong together.
  return { isBorder: ratio === null || ratio > 0, isDoubtful: ratio !== null || likeness !== null }
}

/**
 * Groups pictures, in their order, into garments. Each garment has `isDoubtful`, which is true if its border to the
 * garment before is doubtful, and each picture that was joined doubtfully is in `doubtful`.
 * @param pictures each with `takenAt`, `savedAt` (both in ms or null) and optionally `likeness` to the picture before
 */
export function groupByBorders(pictures) {
  const gaps = pictures.map((picture, i) => (i === 0 ? null : gapBetween(pictures[i - 1], picture)))
  const limit = usualLimit(gaps.filter((gap) => gap !== null))
  const groups = []
  pictures.forEach((picture, i) => {
    const { isBorder, isDoubtful } =
      i === 0 ? { isBorder: true, isDoubtful: false } : decideBorder(gaps[i], limit, picture.likeness ?? null)
    if (isBorder) groups.push({ pictures: [picture], isDoubtful, doubtful: [] })
    else {
      groups.at(-1).pictures.push(picture)
      if (isDoubtful) groups.at(-1).doubtful.push(picture)
    }
  })
  return groups.flatMap(splitLong)
}

/** Splits a garment with too many pictures where the time between two of them is longest. */
function splitLong(group) {
  const { pictures, doubtful } = group
  if (pictures.length <= maxPictures) return [group]
  let [at, longest] = [maxPictures, -1]
  for (let i = 1; i < pictures.length; i++) {
    const gap = gapBetween(pictures[i - 1], pictures[i]) ?? 0
    if (gap > longest) [at, longest] = [i, gap]
  }
  const part = (some, isDoubtful) => ({
    pictures: some,
    isDoubtful,
    doubtful: doubtful.filter((picture) => some.indexOf(picture) > 0),
  })
  return [part(pictures.slice(0, at), group.isDoubtful), part(pictures.slice(at), true)].flatMap(splitLong)
}

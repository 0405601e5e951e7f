import { describe, expect, it } from 'vitest'
// @ts-expect-error: page scripts have no types.
import * as borders from '../../src/dashboard/public/assets/scripts/upload/decide-borders.js'
// @ts-expect-error: page scripts have no types.
import { comparerOf, countColours, edge } from '../../src/dashboard/public/assets/scripts/upload/likeness.js'

interface Photo {
  readonly garment: number
  readonly takenAt: number | null
  readonly savedAt: number | null
  readonly colours?: unknown
  readonly code?: string
}

interface Group {
  readonly pictures: readonly Photo[]
  readonly isDoubtful: boolean
  readonly doubtful: readonly Photo[]
}

const groupByBorders = borders.groupByBorders as (pictures: readonly Photo[]) => Group[]

const start = 1_795_000_000_000

/** Photographs taken at these seconds. */
const taken = (...seconds: readonly (number | null)[]): Photo[] =>
  seconds.map((at) => ({ garment: 0, takenAt: at === null ? null : start + at * 1000, savedAt: null }))

/** The colours of a picture of one colour. */
const plain = (...rgb: readonly number[]): unknown =>
  (countColours as (pixels: Uint8ClampedArray) => unknown)(
    Uint8ClampedArray.from({ length: (edge as number) ** 2 * 4 }, (_, i) => rgb[i % 4] ?? 255),
  )

const sizes = (pictures: readonly Photo[]) => groupByBorders(pictures).map(({ pictures: { length } }) => length)

/** A repeatable random number generator (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Photographs of 60 garments, one to eight each, as a person takes them, with pauses for turning and changing. */
function photographBatch(seed: number): Photo[] {
  const random = randomFrom(seed)
  const skewed = (median: number, spread: number) => median * Math.exp((random() + random() + random() - 1.5) * spread)
  const photos: Photo[] = []
  let at = start
  for (let garment = 0; garment < 60; garment++) {
    at += skewed(55, 0.9) * 1000
    const count = 1 + Math.floor(random() * 8)
    for (let i = 0; i < count; i++) {
      if (i > 0) at += skewed(7, 0.9) * 1000
      photos.push({ garment, takenAt: Math.round(at / 1000) * 1000, savedAt: null })
    }
  }
  return photos
}

/** F1 of pairs of pictures that are in one group and of one garment. */
function pairF1(groups: readonly Group[]): number {
  const pairs = (sets: readonly (readonly Photo[])[]) => sets.reduce((sum, { length: n }) => sum + (n * (n - 1)) / 2, 0)
  const all = groups.flatMap(({ pictures }) => pictures)
  const byGarment = (some: readonly Photo[]) => [...Map.groupBy(some, ({ garment }) => garment).values()]
  const found = pairs(groups.map(({ pictures }) => pictures))
  const right = pairs(groups.flatMap(({ pictures }) => byGarment(pictures)))
  return (2 * right) / (found + pairs(byGarment(all)))
}

describe('borders between garments', () => {
  it('lie at gaps that are long for this batch, each decided separately', () => {
    expect(sizes(taken(0, 4, 9, 40, 43, 90, 95, 97))).toEqual([3, 2, 3])
    expect(sizes(taken(0, 20, 38, 120, 141, 260))).toEqual([3, 2, 1])
    expect(sizes(taken(0, 60, 120))).toEqual([1, 1, 1])
    expect(sizes(taken(0, 3))).toEqual([2])
  })

  it('lie between the pictures around one without a time', () => {
    expect(sizes(taken(0, 4, 60, null, 64, 120, 124))).toEqual([2, 3, 2])
  })

  it('split a garment with more than eight pictures at its longest gap, which is a question', () => {
    const groups = groupByBorders(taken(0, 1, 2, 3, 8, 9, 10, 11, 12, 300))
    expect(groups.map(({ pictures, isDoubtful }) => [pictures.length, isDoubtful])).toEqual([
      [4, false],
      [5, true],
      [1, false],
    ])
  })

  it('are questions where the gap is neither short nor long, and likeness answers them', () => {
    const grouped = (seconds: number, ...colours: readonly unknown[]) =>
      groupByBorders(taken(0, seconds).map((photo, i) => ({ ...photo, colours: colours[i] }))).map(
        ({ pictures, doubtful }) => [pictures.length, doubtful.length],
      )
    expect(grouped(22)).toEqual([[2, 1]])
    expect(grouped(9, plain(200, 0, 0), plain(200, 0, 0))).toEqual([[2, 0]])
    expect(grouped(120, plain(200, 0, 0), plain(0, 0, 200))).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  it('use the times of files, but not nearly equal ones, which come from copying', () => {
    const saved = (...seconds: readonly number[]): Photo[] =>
      seconds.map((at) => ({ garment: 0, takenAt: null, savedAt: start + at * 1000 }))
    expect(sizes(saved(0, 4, 60, 64, 68))).toEqual([2, 3])
    expect(sizes(saved(0, 0.2, 0.4, 0.6))).toEqual([1, 1, 1, 1])
  })

  it('without any time, join what is alike', () => {
    const colours = [plain(200, 0, 0), plain(190, 10, 5), plain(0, 0, 200)]
    const groups = groupByBorders(taken(null, null, null).map((photo, i) => ({ ...photo, colours: colours[i] })))
    expect(groups.map(({ pictures }) => pictures.length)).toEqual([2, 1])
    expect(groupByBorders(taken(null, null, null)).map(({ isDoubtful }) => isDoubtful)).toEqual([false, false, false])
  })

  it('lie before each photographed code, which does not count as a picture', () => {
    const photos = taken(...Array.from({ length: 20 }, (_, i) => i * 3))
    const groups = groupByBorders(photos.map((photo, i) => (i % 9 === 0 ? { ...photo, code: `G-${i}` } : photo)))
    expect(groups.map(({ pictures, isDoubtful }) => [pictures.length, isDoubtful])).toEqual([
      [9, false],
      [9, false],
      [2, false],
    ])
  })

  it('follow gaps after the code of one garment among many without a code', () => {
    const [first, ...others] = taken(0, 5, 10, 70, 75, 140, 145, 210, 270, 275)
    expect(sizes([{ ...(first as Photo), code: 'G-1' }, ...others])).toEqual([3, 2, 2, 1, 2])
  })

  it('are found in batches of 60 garments, with few questions', () => {
    const scores = Array.from({ length: 20 }, (_, seed) => {
      const photos = photographBatch(seed + 1)
      const groups = groupByBorders(photos)
      const questions = groups.reduce(
        (sum, { isDoubtful, doubtful }) => sum + (isDoubtful ? 1 : 0) + doubtful.length,
        0,
      )
      return { f1: pairF1(groups), asked: questions / (photos.length - 1) }
    })
    expect(Math.min(...scores.map(({ f1 }) => f1))).toBeGreaterThan(0.97)
    expect(Math.max(...scores.map(({ asked }) => asked))).toBeLessThan(0.15)
  })
})

it('pictures are compared by their colours, and not where a browser cannot open one', () => {
  const all = [plain(200, 0, 0), plain(190, 10, 5), plain(0, 0, 200), null]
  const likeness = (comparerOf as (all: readonly unknown[]) => (some: number, other: number) => number | null)(all)
  expect(likeness(0, 1)).toBeGreaterThan(0.5)
  expect(likeness(0, 2)).toBeLessThan(0)
  expect(likeness(0, 3)).toBeNull()
})

import type { Mask, Picture } from '../picture.ts'
import { type Lab, toLab, toLinear, toSrgb } from './colour-spaces.ts'
import { pickPlace, type Places } from './sample-colours.ts'

/** Gains for the linear channels that neutralise the colour of the light. */
type Light = readonly [red: number, green: number, blue: number]

const neutral: Light = [1, 1, 1]

/** A pale background is assumed to be white or grey under coloured light. Above this chroma it is coloured itself. */
const maxChroma = 14
const minLightness = 70

/** Every seventh pixel is read, which is enough for a median. */
const pixelStep = 7

/**
 * Estimates the light from the background's median by von Kries adaptation in linear sRGB, assuming that a pale
 * background is white or grey. Returns neutral light if the background is coloured or dark, or if there is none.
 */
export function readLight({ data }: Picture, mask: Mask): Light {
  const counts = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)] as const
  let total = 0
  for (let index = 0; index < mask.data.length; index += pixelStep) {
    if (mask.data[index] !== 0) continue
    total++
    for (let channel = 0; channel < 3; channel++) counts[channel]![data[index * 4 + channel]!]!++
  }
  if (total === 0) return neutral
  const [red, green, blue] = [medianOf(counts[0], total), medianOf(counts[1], total), medianOf(counts[2], total)]
  const { l, a, b } = toLab(red, green, blue)
  if (l < minLightness || Math.hypot(a, b) > maxChroma) return neutral
  const linear = [toLinear(red), toLinear(green), toLinear(blue)] as const
  const mean = (linear[0] + linear[1] + linear[2]) / 3
  return [mean / linear[0], mean / linear[1], mean / linear[2]]
}

/** Converts an sRGB colour (0 to 255 per channel) to its appearance under neutral light. */
export function underNeutralLight(rgb: readonly [number, number, number], light: Light): [number, number, number] {
  return rgb.map((value, c) => toSrgb(Math.min(1, toLinear(value) * light[c]!))) as [number, number, number]
}

/** Returns the median level of a histogram. `counts` has a count for each level. */
function medianOf(counts: Uint32Array, total: number): number {
  let level = 0
  for (let below = counts[0]!; below <= total / 2 && level < 255; below += counts[level]!) level++
  return level
}

/** A picture is dark if 98 % of its pixels stay below `darkLevel` in every channel. The model card has figures. */
const darkLevel = 140
const darkShare = 0.98

/** True if the picture is too dark to tell colours. */
export function isDark({ data }: Picture): boolean {
  const counts = new Uint32Array(256)
  for (let at = 0; at < data.length; at += 4) counts[Math.max(data[at]!, data[at + 1]!, data[at + 2]!)]!++
  const below = counts.subarray(0, darkLevel).reduce((sum, count) => sum + count, 0)
  return below >= darkShare * (data.length / 4)
}

export interface ColourCluster {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
  /** Share of the garment's sampled pixels, 0 to 1. */
  readonly share: number
}

const maxSamples = 900
const clusters = 6
const rounds = 5

interface Sample {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
}

/**
 * Clusters the garment's colours away from its edge and under neutral light by k-means in CIELAB. Clusters that differ
 * only by shading are merged. Largest share first.
 */
export function clusterColours(picture: Picture, mask: Mask, { inside }: Places): ColourCluster[] {
  const samples = sampleInside(picture, inside, readLight(picture, mask))
  if (samples.length === 0) return []
  const centres = spreadOut(samples)
  const members = new Uint8Array(samples.length)
  for (let round = 0; round < rounds; round++) {
    samples.forEach(({ lab }, index) => (members[index] = nearest(centres, lab)))
    centres.forEach((_, id) => {
      const mean = meanLab(samples.filter((_sample, index) => members[index] === id))
      if (mean !== undefined) centres[id] = mean
    })
  }
  const groups = joinShades(
    centres,
    centres.map((_, id) => samples.filter((_sample, index) => members[index] === id)),
  )
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({ ...typical(group), share: group.length / samples.length }))
    .sort((a, b) => b.share - a.share)
}

function sampleInside({ data }: Picture, places: Int32Array, light: Light): Sample[] {
  return Array.from({ length: Math.min(maxSamples, places.length) }, (_, step) => {
    const at = pickPlace(places, step) * 4
    const rgb = underNeutralLight([data[at]!, data[at + 1]!, data[at + 2]!], light)
    return { rgb, lab: toLab(...rgb) }
  })
}

/** Chooses start centres: the sample nearest to the mean, then always the one furthest from all earlier centres. */
function spreadOut(samples: readonly Sample[]): Lab[] {
  const mean = meanLab(samples)!
  const centres = [
    samples.reduce((best, sample) => (squared(sample.lab, mean) < squared(best.lab, mean) ? sample : best)).lab,
  ]
  const away = samples.map(({ lab }) => squared(lab, centres[0]!))
  while (centres.length < Math.min(clusters, samples.length)) {
    let furthest = 0
    away.forEach((value, index) => (furthest = value > away[furthest]! ? index : furthest))
    const centre = samples[furthest]!.lab
    centres.push(centre)
    samples.forEach(({ lab }, index) => (away[index] = Math.min(away[index]!, squared(lab, centre))))
  }
  return centres
}

/** Merges each cluster into the largest one of the same hue, if the lightness difference is typical of folds. */
function joinShades(centres: readonly Lab[], groups: readonly Sample[][]): Sample[][] {
  const joined = groups.map((group) => [...group])
  const order = groups.map((_, id) => id).sort((a, b) => groups[b]!.length - groups[a]!.length)
  const heads: number[] = []
  for (const id of order) {
    const head = heads.find((other) => isShadeOf(centres[id]!, centres[other]!))
    if (head === undefined) heads.push(id)
    else joined[head]!.push(...groups[id]!)
  }
  return heads.map((id) => joined[id]!)
}

function isShadeOf(a: Lab, b: Lab): boolean {
  const scale = Math.max(0.6, Math.min(1.6, b.l < 1 ? 1 : a.l / b.l))
  return Math.abs(a.l - b.l) < 13 && Math.hypot(a.a - b.a * scale, a.b - b.b * scale) < 9
}

/** Returns the mean of the samples of medium lightness, which excludes folds and highlights. */
function typical(group: readonly Sample[]): Sample {
  const sorted = [...group].sort((a, b) => a.lab.l - b.lab.l)
  const core = sorted.slice(Math.floor(sorted.length * 0.3), Math.max(1, Math.ceil(sorted.length * 0.85)))
  const middle = core.length > 0 ? core : sorted
  const mean = (channel: 0 | 1 | 2) => middle.reduce((sum, { rgb }) => sum + rgb[channel], 0) / middle.length
  const rgb = [mean(0), mean(1), mean(2)] as const
  return { rgb, lab: toLab(...rgb) }
}

function nearest(centres: readonly Lab[], lab: Lab): number {
  let best = 0
  centres.forEach((centre, id) => (best = squared(centre, lab) < squared(centres[best]!, lab) ? id : best))
  return best
}

function squared(a: Lab, b: Lab): number {
  return (a.l - b.l) ** 2 + (a.a - b.a) ** 2 + (a.b - b.b) ** 2
}

function meanLab(samples: readonly Sample[]): Lab | undefined {
  if (samples.length === 0) return undefined
  const mean = (key: 'l' | 'a' | 'b') => samples.reduce((sum, { lab }) => sum + lab[key], 0) / samples.length
  return { mode: 'lab65', l: mean('l'), a: mean('a'), b: mean('b') }
}

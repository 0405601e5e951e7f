import type { Mask, Picture } from '../picture.ts'
import { type Lab, toLab, toLinear, toSrgb } from './colour-spaces.ts'
import { pickPlace, type Places } from './sample-colours.ts'

/** Gains for the linear channels that neutralise the colour of the light. */
export type Light = readonly [red: number, green: number, blue: number]

const neutral: Light = [1, 1, 1]

/**
 * A pale background is assumed to be white or grey under coloured light, and a dark or colourful one to be coloured
 * itself. The assumption fades in with CIELAB lightness and fades out with chroma, so that no small change flips it.
 */
const paleLightness = { from: 64, to: 74 }
const paleChroma = { from: 11, to: 18 }

/** Wider limits within which the background may be white or grey. */
const maybePaleLightness = { from: 50, to: 62 }
const maybePaleChroma = { from: 35, to: 55 }
const maxMaybePale = 0.35

/** Every seventh pixel is read, which is enough for a median. */
const pixelStep = 7

/**
 * Estimates the light by von Kries adaptation. Returns the likely light, and the light of a grey background with its
 * probability.
 */
export function readLight({ data }: Picture, mask: Mask) {
  const counts = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)] as const
  let total = 0
  for (let index = 0; index < mask.data.length; index += pixelStep) {
    if (mask.data[index] !== 0) continue
    total++
    for (let channel = 0; channel < 3; channel++) counts[channel]![data[index * 4 + channel]!]!++
  }
  if (total === 0) return { light: neutral, other: { light: neutral, probability: 0 } }
  const [red, green, blue] = [medianOf(counts[0], total), medianOf(counts[1], total), medianOf(counts[2], total)]
  const { l, a, b } = toLab(red, green, blue)
  const chroma = Math.hypot(a, b)
  const [r, g, bl] = [toLinear(red), toLinear(green), toLinear(blue)]
  const mean = (r + g + bl) / 3
  const gains = (strength: number): Light =>
    strength === 0 ? neutral : [(mean / r) ** strength, (mean / g) ** strength, (mean / bl) ** strength]
  const probability = maxMaybePale * ramp(l, maybePaleLightness) * (1 - ramp(chroma, maybePaleChroma))
  return {
    light: gains(ramp(l, paleLightness) * (1 - ramp(chroma, paleChroma))),
    other: { light: gains(1), probability: Number.isFinite(mean / Math.min(r, g, bl)) ? probability : 0 },
  }
}

export const ramp = (value: number, { from, to }: { readonly from: number; readonly to: number }) =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

export function underNeutralLight(rgb: readonly [number, number, number], light: Light): [number, number, number] {
  return rgb.map((value, c) => toSrgb(Math.min(1, toLinear(value) * light[c]!))) as [number, number, number]
}

function medianOf(counts: Uint32Array, total: number): number {
  let level = 0
  for (let below = counts[0]!; below <= total / 2 && level < 255; below += counts[level]!) level++
  return level
}

/** A picture is dark if 98 % of its pixels stay below `darkLevel` in every channel. The model card has figures. */
const darkLevel = 140
const darkShare = 0.98

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

export interface ClothSample {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
}

/**
 * Clusters the cloth's colours by k-means in CIELAB, largest share first. Merges clusters that differ only by shading.
 */
export function clusterColours(samples: readonly ClothSample[]): ColourCluster[] {
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

export function sampleCloth({ data }: Picture, { inside: places }: Places, light: Light): ClothSample[] {
  return Array.from({ length: Math.min(maxSamples, places.length) }, (_, step) => {
    const at = pickPlace(places, step) * 4
    const rgb = underNeutralLight([data[at]!, data[at + 1]!, data[at + 2]!], light)
    return { rgb, lab: toLab(...rgb) }
  })
}

/**
 * Chooses start centres: the sample nearest to the mean, then repeatedly the sample furthest from all earlier centres.
 */
function spreadOut(samples: readonly ClothSample[]): Lab[] {
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
function joinShades(centres: readonly Lab[], groups: readonly ClothSample[][]): ClothSample[][] {
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
function typical(group: readonly ClothSample[]): ClothSample {
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

function meanLab(samples: readonly ClothSample[]): Lab | undefined {
  if (samples.length === 0) return undefined
  const mean = (key: 'l' | 'a' | 'b') => samples.reduce((sum, { lab }) => sum + lab[key], 0) / samples.length
  return { mode: 'lab65', l: mean('l'), a: mean('a'), b: mean('b') }
}

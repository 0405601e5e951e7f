import type { Picture } from '../picture.ts'
import type { Mask } from '../segment/mask.ts'
import { type Places, pickPlace } from './find-places.ts'
import { type Lab, toLab } from './lab.ts'
import { type Light, readLight, underNeutralLight } from './read-light.ts'

export interface ColourCluster {
  readonly lab: Lab
  readonly rgb: readonly [number, number, number]
  /** Share of the garment's sampled pixels. */
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
 * The colours of the garment's pixels away from its edge, under neutral light, largest share first: k-means in CIELAB,
 * after which clusters that differ only by light and shade are joined.
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

/** Deterministic: the sample nearest to the mean, then each time the one furthest from all that were chosen. */
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

/** Joins each cluster to the largest one of its hue whose lightness differs by no more than a fold causes. */
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

/** The mean of the middle by lightness, which leaves out folds and highlights. */
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

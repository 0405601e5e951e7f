import type { Seeds } from './mark-seeds.ts'
import { distanceTo } from './measure-depth.ts'
import { CLOTH, BACKGROUND } from './region-labels.ts'

/** Above this share of pixels that could be shadow, the cloth itself is of such a colour and is left alone. */
const MAX_SHADOWLIKE = 0.03

/** Deeper than this (thirds of a pixel) the cloth is looked at without its edges. */
const INNER_DEPTH = 12

/**
 * In gaps a few pixels wide (between legs, under an arm) the highest step is not where the edge is. Where the cloth has
 * colours that no shadow has, whatever could be shadow is given back to the ground. In place;
 * false where the cloth could be mistaken for shadow and nothing was done.
 */
export function peelShadow({ labels, foreign }: Seeds, width: number, height: number): boolean {
  const depth = distanceTo(labels, width, height)
  let inner = 0
  let shadowlike = 0
  for (let index = 0; index < labels.length; index++) {
    if (labels[index] !== CLOTH || depth[index]! < INNER_DEPTH) continue
    inner++
    if (foreign[index] === 0) shadowlike++
  }
  if (inner === 0 || shadowlike > inner * MAX_SHADOWLIKE) return false
  for (let index = 0; index < labels.length; index++) if (foreign[index] === 0) labels[index] = BACKGROUND
  return true
}

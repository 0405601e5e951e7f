import type { Picture } from '../../picture.ts'
import type { ColourReading } from '../../colour/rank-colours.ts'
import { classify } from '../item-type/forward.ts'
import { prepare } from '../item-type/prepare.ts'
import type { Mask } from '../../segment/mask.ts'
import { toPicture } from '../../shape/find-axis.ts'
import { distance } from '../../shape/find-corners.ts'
import type { Shape } from '../../shape/read-shape.ts'
import { extent, runsAt, widthAt } from '../../shape/silhouette.ts'
import { bodyFrame } from './body-frame.ts'
import { readFront } from './read-front.ts'
import { readNeck } from './read-neck.ts'
import { readPattern } from './read-pattern.ts'
import { readTexture } from './read-texture.ts'

/** A garment that covers so much of its mirror image is its own: the network need not look twice. */
const MIRRORED = 0.9

export interface Features {
  /** The network's probabilities, by its classes. */
  readonly network: Float32Array
  readonly shape: readonly number[]
  readonly front: readonly number[]
  readonly neck: readonly number[]
  readonly texture: readonly number[]
  readonly pattern: readonly number[]
  readonly colour: readonly number[]
}

/** Everything that the item type, pattern and front are told from, as plain numbers of similar size. */
export function readFeatures(
  picture: Picture,
  view: Picture,
  factor: number,
  mask: Mask,
  shape: Shape,
  colour: ColourReading,
): Features {
  const frame = bodyFrame(picture, factor, shape)
  return {
    network: classify(prepare(view, mask.data), shape.silhouette.axis.symmetry > MIRRORED ? 1 : 2).probabilities,
    shape: shapeNumbers(shape),
    front: readFront(frame),
    neck: readNeck(frame),
    texture: readTexture(frame),
    pattern: readPattern(view, mask, shape, frame),
    colour: colourNumbers(view, mask, shape, colour),
  }
}

function shapeNumbers(shape: Shape): number[] {
  const { silhouette, crotch, armpits, top: layout } = shape
  const { top, height, left, right, axis } = silhouette
  const lengthOf = (name: string) => {
    const line = layout.lines.find((candidate) => candidate.name === name)
    return line === undefined ? 0 : distance(line.from, line.to)
  }
  const chest = Math.max(2, lengthOf('Chest'))
  const neck = layout.landmarks['Right Neck']
  const shoulder = layout.landmarks['Right Shoulder']
  const armpit = layout.landmarks['Right Armpit']
  const wide = (share: number) => {
    const run = extent(runsAt(silhouette, top + height * share))
    return run === undefined ? 0 : (run.right - run.left) / (right - left)
  }
  return [
    Math.log(height / Math.max(1, right - left)),
    crotch?.legShare ?? 0,
    crotch === undefined ? 0 : 1,
    shape.hasHandle ? 1 : 0,
    armpits === undefined ? 0 : 1,
    Math.min(2, lengthOf('Sleeve Length') / chest),
    lengthOf('Body Length') / chest,
    lengthOf('Hem') / chest,
    lengthOf('Waist') / chest,
    shape.topDip * 3,
    lengthOf('Shoulder') / chest,
    shoulder === undefined ? 0 : (shoulder[1] - top) / chest,
    widthAt(silhouette, top + chest * 0.06) / chest,
    neck === undefined ? 0 : Math.abs(neck[0]) / chest,
    armpit === undefined ? 0 : (armpit[1] - top) / chest,
    wide(0.02),
    wide(0.12),
    wide(0.5),
    wide(0.95),
    axis.symmetry,
  ]
}

/** Main colour, how much of the garment has it, and the share of warm specks, as stitches on denim are. */
function colourNumbers(view: Picture, mask: Mask, { silhouette }: Shape, { clusters }: ColourReading): number[] {
  const main = clusters[0]
  if (main === undefined) return [0, 0, 0, 0, 0]
  const usual = main.rgb[0] - main.rgb[2]
  let warm = 0
  let seen = 0
  for (let row = 2; row < silhouette.height - 2; row += 2) {
    const run = extent(silhouette.rows[row] ?? [])
    if (run === undefined) continue
    for (let u = run.left + 3; u < run.right - 3; u += 2) {
      const [x, y] = toPicture(silhouette.axis, u, silhouette.top + row)
      const at = Math.round(y) * view.width + Math.round(x)
      if (mask.data[at] !== 1) continue
      seen++
      if (view.data[at * 4]! - view.data[at * 4 + 2]! - usual > 26) warm++
    }
  }
  return [main.lab.l / 100, main.lab.a / 50, main.lab.b / 50, main.share, Math.min(1, (10 * warm) / Math.max(1, seen))]
}

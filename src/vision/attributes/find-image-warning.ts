import { type ClassProbabilities, probabilityOf } from '../predict/class-probabilities.ts'
import type { Mask } from '../segment/mask.ts'

/** What tells whether a picture shows one whole garment. */
export interface Scene {
  /** Whether several garments lie apart in it. */
  readonly hasSeveral: boolean
  readonly presence: ClassProbabilities
  readonly shown: ClassProbabilities
  readonly mask: Mask
}

/** Why the picture shows something else than one whole garment, and what to multiply all probabilities by. */
export interface ImageWarning {
  readonly sentence: string
  readonly trust: number
}

/** Low, because both are rare in training: 2 of 752 photographs of one whole garment are above (see the model card). */
const likelySeveral = 0.2
const likelyPart = 0.2

/** What all probabilities are multiplied by where the tags may be about something else. */
const doubt = 0.7

/** A garment of which more than this share of a side runs along the picture's edge may go on beyond it. */
const maxContact = 0.5

export function findImageWarning({ hasSeveral, presence, shown, mask }: Scene): ImageWarning | undefined {
  if (hasSeveral || probabilityOf(presence, 'Several') > likelySeveral)
    return { sentence: 'The image seems to show several garments; this is about the most prominent one.', trust: doubt }
  if (probabilityOf(shown, 'Cut') > likelyPart)
    return { sentence: 'The image seems to show only a part of the garment.', trust: doubt }
  // Type and colour are as often right as elsewhere; what crosses the edge is not measured anyway.
  if (edgeContact(mask) > maxContact)
    return { sentence: 'The garment reaches the edge of the image, so a part of it may be missing.', trust: 1 }
  return undefined
}

/** Of the four edges, the largest share of the garment's width or height that lies along one, 0 to 1. */
function edgeContact({ width, height, data }: Mask): number {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width)
    const first = row.indexOf(1)
    if (first === -1) continue
    left = Math.min(left, first)
    right = Math.max(right, row.lastIndexOf(1))
    top = Math.min(top, y)
    bottom = y
  }
  // One pixel inside, because the outermost ones are often missing.
  const along = (length: number, at: (step: number) => number) => {
    let count = 0
    for (let step = 0; step < length; step++) count += data[at(step)]!
    return count
  }
  const across = [1, height - 2].map((y) => along(width, (x) => y * width + x) / (right - left + 1))
  const down = [1, width - 2].map((x) => along(height, (y) => y * width + x) / (bottom - top + 1))
  return Math.max(...across, ...down)
}

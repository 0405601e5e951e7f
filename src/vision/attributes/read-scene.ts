import { type ClassProbabilities, probabilityOf } from '../predict/class-probabilities.ts'
import { confidenceOf } from '../rank.ts'
import type { Mask } from '../segment/mask.ts'
import type { NoteCode, Shown } from '../scene.ts'

export interface SceneEvidence {
  /** Whether several garments lie apart in the picture. */
  readonly hasSeveral: boolean
  readonly presence: ClassProbabilities
  readonly shown: ClassProbabilities
  readonly mask: Mask
}

export interface Scene {
  readonly shown: Shown
  readonly notes: readonly NoteCode[]
  /** All probabilities of the tag are multiplied by it. */
  readonly trust: number
  /** Whether lengths in the picture are those of a garment laid flat. */
  readonly isMeasurable: boolean
}

/** From here on a garment counts as worn or as folded; see the model card for what this finds and what it confuses. */
const likelyWorn = 0.5
/** From here on nothing is measured: a line across a person is worse than none on a garment laid flat. */
const perhapsWorn = 0.2
const likelyFolded = 0.5

/** Low, because both are rare in training: 2 of 752 photographs of one whole garment are above (see the model card). */
const likelySeveral = 0.2
const likelyDetail = 0.2

/** All probabilities are multiplied by it if the tags may be about something else. */
const doubt = 0.7

/** Likewise on a person, who wears other garments too. It has the least log loss on 27 held-out worn garments. */
const wornDoubt = 0.9

/** A garment of which more than this share of a side runs along the picture's edge may go on beyond it. */
const maxContact = 0.5

/** How the garment is shown, and what follows from it. */
export function readScene(evidence: SceneEvidence): Scene {
  const scene = readShown(evidence)
  if (confidenceOf(1 - probabilityOf(evidence.presence, 'None')) !== 'Low') return scene
  return { ...scene, notes: [...scene.notes, 'uncertain'], trust: Math.min(scene.trust, doubt), isMeasurable: false }
}

function readShown({ hasSeveral, presence, shown, mask }: SceneEvidence): Scene {
  const back = probabilityOf(shown, 'Back')
  const worn = probabilityOf(shown, 'Worn') + back
  if (worn > likelyWorn) {
    const seen = back > worn / 2 ? 'back' : 'worn'
    return { shown: seen, notes: [seen], trust: wornDoubt, isMeasurable: false }
  }
  if (hasSeveral || probabilityOf(presence, 'Several') > likelySeveral)
    return { shown: 'several', notes: ['several'], trust: doubt, isMeasurable: worn < perhapsWorn }
  if (probabilityOf(shown, 'Cut') > likelyDetail)
    return { shown: 'detail', notes: ['detail'], trust: doubt, isMeasurable: false }
  if (probabilityOf(shown, 'Folded') > likelyFolded)
    return { shown: 'folded', notes: ['folded'], trust: 1, isMeasurable: false }
  const isHanging = probabilityOf(shown, 'Hanging') > probabilityOf(shown, 'Flat')
  // Type and colour are as often right as elsewhere; what crosses the edge is not measured anyway.
  const notes: readonly NoteCode[] = edgeContact(mask) > maxContact ? ['reaches_edge'] : []
  return { shown: isHanging ? 'hanging' : 'flat', notes, trust: 1, isMeasurable: worn < perhapsWorn }
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

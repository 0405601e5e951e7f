import { type ClassProbabilities, confidenceOf, probabilityOf } from './rank.ts'
import type { Mask } from './picture.ts'

export const shownValues = ['flat', 'hanging', 'worn', 'folded', 'detail', 'several', 'back'] as const

export const pictureKinds = ['front', 'back', 'label', 'detail', 'flaw', 'worn', 'other'] as const

export type PictureKind = (typeof pictureKinds)[number]

/** These kinds do not show a whole garment, so they are listed but not tagged. */
export const isOnlyListed = (kind: PictureKind | '') => kind === 'label' || kind === 'detail' || kind === 'flaw'

export type Presentation = (typeof shownValues)[number]

/** Sources of centimetres: the printed card in the picture, a calibrated studio, or typical sizes. */
export const scaleSources = ['card', 'studio', 'estimate'] as const

export type ScaleSource = (typeof scaleSources)[number]

/** Remarks about a picture. Codes are stored, so they never change. */
export const noteSentences = {
  worn: 'The garment is worn by a person, so it is not measured.',
  back: 'The garment is worn and seen from behind, so it is not measured, and what is at its front is guessed.',
  several: 'The image seems to show several garments; this is about the most prominent one.',
  detail: 'The image seems to show only a part of the garment.',
  types_differ: 'The images seem to show different kinds of garment; check that all of them are of this one.',
  colours_differ: 'The images show the garment in different colours; check that all of them are of this one.',
  folded: 'The garment is folded, so it is not measured.',
  card: 'The printed card is in the image, and lengths are measured with it.',
  estimate: 'Nothing tells the scale of the image, so lengths are estimated from usual sizes; they can be off by 15 %.',
  estimate_either:
    'Nothing tells the scale of the image, so lengths are estimated from usual sizes of men and women; they can be off by 25 %.',
  estimate_child:
    'Nothing tells the scale of the image, so lengths are estimated from what is usual for children of this size; they can be off by 15 %.',
  estimate_any_child:
    'Nothing tells the scale of the image or the size of the child, so lengths are rough estimates; they can be off by 40 %.',
  card_small: 'The printed card is too small in the image to measure with; take the photograph from nearer.',
  card_hidden: 'Too little of the printed card can be seen to measure with it; show all of it.',
  card_bent: 'The printed card does not lie flat, so it is not measured with; smooth it or glue it to cardboard.',
  dark: 'The image is dark, so its colours are doubtful; take the photograph in more light.',
  uncertain: 'It is doubtful whether the image shows a garment, so nothing is measured.',
  unsure_outline:
    'The outline of the garment is unsure, so its lengths are in no listing until a person has corrected or confirmed them.',
  uncut: 'The outline of the garment is unsure, so it is not cut out.',
  label_unreadable: 'No text could be read in the image of the label; take the photograph from nearer.',
  rotated: 'The image lay on its side or upside down, so it was rotated.',
  reaches_edge: 'The garment reaches the edge of the image, so a part of it may be missing.',
}

export type NoteCode = keyof typeof noteSentences

/** Replaces sentences about missing measurements once people have measured the garment. */
export const measuredSentences: Readonly<Partial<Record<NoteCode, string>>> = {
  worn: 'The garment is worn by a person.',
  back: 'The garment is worn and seen from behind, so what is at its front is guessed.',
  folded: 'The garment is folded.',
}

/** Whether the garment can be cut out: whole, not worn, and with a certain outline. */
export const isCutOut = ({ shown, notes }: { readonly shown: string; readonly notes: readonly string[] }) =>
  !['worn', 'back', 'detail'].includes(shown) &&
  !notes.some((note) => ['uncertain', 'unsure_outline', 'uncut'].includes(note))

export interface SceneEvidence {
  readonly hasSeveral: boolean
  readonly presence: ClassProbabilities
  readonly shown: ClassProbabilities
  readonly mask: Mask
}

export interface Scene {
  readonly shown: Presentation
  readonly notes: readonly NoteCode[]
  readonly trust: number
  /** Whether the garment lies so flat that its lengths can be measured. */
  readonly isMeasurable: boolean
}

/** Thresholds above which a garment counts as worn or folded. The model card has the resulting error rates. */
const likelyWorn = 0.5
/** Above this probability nothing is measured, because a wrong measurement is worse than none. */
export const perhapsWorn = 0.2
const likelyFolded = 0.5

/** Low, because both classes are rare in training. The model card has the error rates. */
const likelySeveral = 0.1
export const likelyDetail = 0.2

/** Factor for all probabilities if the tags may describe something else. */
const doubt = 0.7

/** A garment may continue beyond the edge if more than this share of a side lies along it. */
const maxContact = 0.5

export const probabilityWorn = (shown: ClassProbabilities): number =>
  probabilityOf(shown, 'Worn') + probabilityOf(shown, 'Back')

export function readScene(evidence: SceneEvidence): Scene {
  const scene = readShown(evidence)
  if (confidenceOf(1 - probabilityOf(evidence.presence, 'None')) !== 'Low') return scene
  return { ...scene, notes: [...scene.notes, 'uncertain'], trust: Math.min(scene.trust, doubt), isMeasurable: false }
}

function readShown({ hasSeveral, presence, shown, mask }: SceneEvidence): Scene {
  const worn = probabilityWorn(shown)
  if (worn > likelyWorn) {
    const side = probabilityOf(shown, 'Back') > worn / 2 ? 'back' : 'worn'
    return { shown: side, notes: [side], trust: 1, isMeasurable: false }
  }
  if (hasSeveral || probabilityOf(presence, 'Several') > likelySeveral)
    return { shown: 'several', notes: ['several'], trust: doubt, isMeasurable: worn < perhapsWorn }
  if (probabilityOf(shown, 'Cut') > likelyDetail)
    return { shown: 'detail', notes: ['detail'], trust: doubt, isMeasurable: false }
  if (probabilityOf(shown, 'Folded') > likelyFolded)
    return { shown: 'folded', notes: ['folded'], trust: 1, isMeasurable: false }
  const isHanging = probabilityOf(shown, 'Hanging') > probabilityOf(shown, 'Flat')
  // Trust stays 1, because type and colour are reliable. Lines across the edge are never measured.
  const notes: readonly NoteCode[] = edgeContact(mask) > maxContact ? ['reaches_edge'] : []
  return { shown: isHanging ? 'hanging' : 'flat', notes, trust: 1, isMeasurable: worn < perhapsWorn }
}

/** Returns the largest share of the garment's width or height along one edge of the picture. */
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
  // Looks one pixel inside the picture, because masks often miss the outermost pixels.
  const along = (length: number, at: (step: number) => number) => {
    let count = 0
    for (let step = 0; step < length; step++) count += data[at(step)]!
    return count
  }
  const across = [1, height - 2].map((y) => along(width, (x) => y * width + x) / (right - left + 1))
  const down = [1, width - 2].map((x) => along(height, (y) => y * width + x) / (bottom - top + 1))
  return Math.max(...across, ...down)
}

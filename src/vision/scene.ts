/** How a picture shows its garment. */
export const shownValues = ['flat', 'hanging', 'worn', 'folded', 'detail', 'several', 'back'] as const

export type Shown = (typeof shownValues)[number]

/** Where centimetres come from: the printed card in the picture, a calibrated studio, or usual sizes. */
export const scaleSources = ['card', 'studio', 'estimate'] as const

export type ScaleSource = (typeof scaleSources)[number]

/**
 * What is worth knowing about a picture, apart from the garment's description. Codes are stored, so they never change;
 * another language is one more table of this type.
 */
export const noteSentences = {
  worn: 'The garment is worn by a person, so it is not measured.',
  back: 'The garment is worn and seen from behind, so it is not measured, and what is at its front is guessed.',
  several: 'The image seems to show several garments; this is about the most prominent one.',
  detail: 'The image seems to show only a part of the garment.',
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
  reaches_edge: 'The garment reaches the edge of the image, so a part of it may be missing.',
}

export type NoteCode = keyof typeof noteSentences

/** In place of sentences that say that nothing is measured: where people have measured it. */
export const measuredSentences: Readonly<Partial<Record<NoteCode, string>>> = {
  worn: 'The garment is worn by a person.',
  back: 'The garment is worn and seen from behind, so what is at its front is guessed.',
  folded: 'The garment is folded.',
}

import { storeFailure } from '../garments/failure.ts'
import { parseAttribute } from '../garments/garment-fields.ts'
import { namedTypes } from '../garments/list/synonyms.ts'
import { readChild } from '../garments/listing-values.ts'
import { type Picture, type PictureResult, parsePictures } from '../garments/pictures/garment-picture.ts'
import type { LabelReading } from '../labels/read-label.ts'
import { suppliedValue } from '../vision/attributes/build-tag.ts'
import { PictureError } from '../vision/picture-error.ts'
import { isOnlyListed } from '../vision/scene.ts'
import type { ExaminedPicture, PictureCopy, PictureHints } from '../vision/tag-picture.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'
import { isLabel, maxLabels } from './label-pictures.ts'
import type { PictureReading, Stop, Task } from './read-picture.ts'

/** Results of reading a garment's pictures. Map keys are the pictures' indexes. */
export interface Readings {
  readonly pictures: readonly Picture[]
  /** Facts from the client, from corrections and from the studio. */
  readonly known: Pick<PictureHints, 'attribute' | 'cmPerPixel' | 'itemType' | 'child' | 'named'>
  readonly results: PictureResult[]
  /** Pictures that were tagged, but not measured. */
  readonly further: Map<number, NonNullable<ExaminedPicture['tagged']>>
  readonly copies: Map<number, PictureCopy>
  readonly labels: Map<number, LabelReading>
}

const unreadResult = ({ id, rotation }: Pick<Picture, 'id' | 'rotation'>): PictureResult => ({
  id,
  rotation,
  predictedKind: null,
  role: null,
  hasCutout: false,
  failure: null,
  width: null,
  height: null,
})

export function startReadings({ attribute: stored, cmPerPixel, itemType, ...garment }: QueuingGarment): Readings {
  const attribute = parseAttribute(stored)
  const named = namedTypes(suppliedValue(attribute, 'Category') ?? '')
  const pictures = parsePictures(garment)
  return {
    pictures,
    known: { attribute, cmPerPixel, itemType, child: readChild(attribute), named },
    results: pictures.map(unreadResult),
    further: new Map(),
    copies: new Map(),
    labels: new Map(),
  }
}

/** The first picture counts as the front unless the client declared another kind. */
const kindOf = ({ kind }: Picture, place: number) => kind ?? (place === 0 ? 'front' : '')

/**
 * Finds the next picture to read. Further pictures come first, then the one to measure: a picture with a card,
 * otherwise the first, otherwise another that shows a whole garment. Returns undefined if none is left.
 */
export function findNextTask({ pictures, known, results, further, labels }: Readings): Task | undefined {
  const hasRoomForLabel = labels.size < maxLabels
  const hasCard = [...further.values()].some((each) => each.hasCard)
  const [first] = pictures
  const isFirstFurther = pictures.length > 1 && first !== undefined && isOnlyListed(kindOf(first, 0))
  for (const [place, picture] of pictures.entries()) {
    const isUnread = results[place]?.role === null && results[place].failure === null
    if (!isUnread || (place === 0 && !isFirstFurther && !hasCard)) continue
    if (isLabel(picture) && hasRoomForLabel) return { readAs: 'label', place, picture }
    const kind = kindOf(picture, place)
    return { readAs: 'further', place, picture, kind, mayBeLabel: kind === '' && hasRoomForLabel }
  }
  const places = [...pictures.keys()].filter(
    (place) =>
      results[place]?.failure === null &&
      (further.has(place) || (place === 0 && !isFirstFurther && !labels.has(place))),
  )
  const place = places.find((each) => further.get(each)?.hasCard) ?? places[0]
  const picture = place === undefined ? undefined : pictures[place]
  if (place === undefined || picture === undefined) return undefined
  const hints: PictureHints = {
    ...known,
    kind: further.get(place)?.evidence.kind ?? (kindOf(picture, place) || 'other'),
    others: [...further].filter(([other]) => other !== place).map(([, { evidence }]) => evidence),
    rotation: picture.rotation ?? undefined,
  }
  // A label picture that comes first must not be tagged as a garment if another picture shows one.
  const mayBeLabel = picture.kind === null && place === 0 && places.length > 1 && hasRoomForLabel
  return { readAs: 'measured', place, picture, hints, mayBeLabel }
}

export function addReading(
  { results, further, copies, labels }: Readings,
  task: Task,
  reading: Exclude<PictureReading, Stop>,
): void {
  const { place, picture } = task
  further.delete(place)
  copies.delete(place)
  const unread = unreadResult(picture)
  switch (reading.status) {
    case 'failed':
      results[place] = { ...unread, failure: reading.failure }
      return
    case 'label': {
      const [width, height] = reading.label.size
      results[place] = { ...unread, predictedKind: 'label', width, height, role: 'listed' }
      labels.set(place, reading.label)
      return
    }
    case 'further': {
      const { kind, size, chosenRotation, tagged } = reading.examined
      const [width, height] = size
      const hasCutout = tagged?.copy.drawing.isCutOut ?? false
      const role = tagged === undefined ? 'listed' : 'tagged'
      results[place] = {
        ...unread,
        predictedKind: kind,
        width,
        height,
        rotation: chosenRotation ?? picture.rotation,
        role,
        hasCutout,
      }
      if (tagged === undefined) return
      further.set(place, tagged)
      copies.set(place, tagged.copy)
      return
    }
    case 'measured': {
      const { details, copy, chosenRotation } = reading.tagged
      const rotation = chosenRotation ?? picture.rotation
      const [width, height] = details.view.size
      const predictedKind = task.readAs === 'measured' ? (task.hints.kind ?? null) : null
      const { isCutOut: hasCutout } = copy.drawing
      results[place] = { ...unread, predictedKind, width, height, rotation, role: 'measured', hasCutout }
      copies.set(place, copy)
    }
  }
}

/** Returns the stored form of the garment's failure. */
export const firstFailure = ({ results }: Readings): string =>
  results.find(({ failure }) => failure !== null)?.failure ?? storeFailure(new PictureError('no_garment'))

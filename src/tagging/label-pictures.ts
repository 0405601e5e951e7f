import type { LabelReading, ReadValue } from '../labels/read-label.ts'
import { type LabelKey, labelKeys } from '../labels/understanding/understand-label.ts'
import type { StoredLabel } from '../garments/label.ts'
import type { Picture } from '../garments/pictures/garment-picture.ts'
import { confidences } from '../vision/rank.ts'

/** Further label pictures of a garment are listed but not read. */
export const maxLabels = 2

/** Whether a picture shows a label, as the client declared or the network predicted. */
export const isLabel = ({ kind }: Pick<Picture, 'kind'>): boolean => kind === 'label'

interface ChosenValue extends ReadValue {
  readonly key: LabelKey
  /** The index of the picture in the garment. */
  readonly place: number
}

/** Chooses the most certain value of each key over all labels. Of equally certain values, the first counts. */
export function chooseValues(labels: ReadonlyMap<number, LabelReading>): ChosenValue[] {
  const rank = ({ confidence }: ReadValue) => confidences.indexOf(confidence)
  return labelKeys.flatMap((key) => {
    const inOrder = [...labels].sort(([a], [b]) => a - b)
    const read = inOrder.flatMap(([place, { values }]) => {
      const value = values[key]
      return value === undefined ? [] : [{ ...value, key, place }]
    })
    return read.toSorted((a, b) => rank(a) - rank(b)).slice(0, 1)
  })
}

/** Returns the stored form of the chosen values. Undefined without a label. */
export function formatLabel(
  labels: ReadonlyMap<number, LabelReading>,
  pictures: readonly Picture[],
): StoredLabel | undefined {
  if (labels.size === 0) return undefined
  const stored = chooseValues(labels).map(({ key, place, value, confidence, box }) => [
    key,
    { value, confidence, picture: pictures[place]?.id ?? '', box: [...box] },
  ])
  return Object.fromEntries(stored) as StoredLabel
}

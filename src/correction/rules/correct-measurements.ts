import { correctedLines, type LinePoints } from '../../vision/lines/view.ts'
import { isItemType } from '../../vision/taxonomy/item-types.ts'
import { allowedMeasurements } from './allowed-values.ts'
import type { MachineResult } from './apply-corrections.ts'
import type { Corrections } from './correction.ts'
import { lineName, lineNamesOf, measurementKey } from './measurement.ts'

export interface CorrectedMeasurements {
  /** In the order of the item type. */
  readonly measurements: Record<string, number>
  /** Where each lies, in pixels of the upright original, by its name without the unit; nothing of a typed one. */
  readonly lines: Record<string, LinePoints>
  /** The keys of those that a person changed, added or removed. */
  readonly corrected: string[]
}

/**
 * The corrected measurements, otherwise the predicted ones, that the item type has. A moved or added line has the
 * length that follows from the picture's scale.
 */
export function correctMeasurements(
  { measurements: predicted, view }: MachineResult,
  { measurements: typed, lines: given }: Corrections,
  itemType: string,
): CorrectedMeasurements {
  const lengths = new Map<string, number | undefined>(Object.entries(predicted))
  const places = new Map<string, LinePoints | undefined>(Object.entries(view?.lines ?? {}))
  const corrected: string[] = []
  const change = (key: string, cm: number | undefined, points: LinePoints | undefined) => {
    lengths.set(key, cm)
    places.set(lineName(key), points)
    corrected.push(key)
  }
  for (const [key, { value }] of Object.entries(typed)) if (value !== predicted[key]) change(key, value, undefined)
  const drawn = Object.fromEntries(Object.entries(given).map(([name, { points }]) => [name, points]))
  for (const [name, line] of Object.entries(correctedLines(drawn, lineNamesOf(itemType), view ?? {})))
    change(measurementKey(name), line?.cm, line?.points)

  // Of a type that the taxonomy does not know, all are kept.
  const keys = isItemType(itemType) ? allowedMeasurements(itemType) : [...lengths.keys()]
  const measured = keys.flatMap((key) => {
    const [cm, points] = [lengths.get(key), places.get(lineName(key))]
    return cm === undefined ? [] : [{ key, cm, points }]
  })
  return {
    measurements: Object.fromEntries(measured.map(({ key, cm }) => [key, cm])),
    lines: Object.fromEntries(
      measured.flatMap(({ key, points }) => (points === undefined ? [] : [[lineName(key), points]])),
    ),
    corrected: corrected.filter((key) => keys.includes(key)),
  }
}

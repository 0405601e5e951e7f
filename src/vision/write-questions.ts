import { allValues, attributes, type Evidence, isRanked } from './attributes/catalogue.ts'
import { rankClasses, rankEntry } from './attributes/build-tag.ts'
import { type OpinionMode, type Question, shownQuestion } from './opinion.ts'
import { confidenceOf, type Ranked } from './rank.ts'
import { itemTypes } from './taxonomy/item-types.ts'
import { encodeJpeg } from './image/encode-jpeg.ts'
import type { Picture, Point } from './picture.ts'
import { outsideLevel } from './network/predict-picture.ts'
import { sampleSquare } from './network/sample-square.ts'

/** Attributes are asked about as if the garment were one of these, at most so many and at least so likely. */
const maxTypes = 3
const minType = 0.1

/**
 * The questions about a picture: its item type, how it is shown, and the attributes that apply and that the network is
 * unsure of. Empty where nobody is to be asked. What the client supplied has no part in them.
 * @param trust what all probabilities are multiplied by
 */
export function writeQuestions(
  { heads, colour }: Pick<Evidence, 'heads' | 'colour'>,
  trust: number,
  mode: OpinionMode,
): readonly Question[] {
  const isUnsure = ([best]: Ranked) => best !== undefined && confidenceOf(best.probability * trust) !== 'High'
  const types = rankClasses(heads.type, itemTypes)
  if (mode === 'doubtful' && !isUnsure(types)) return []
  const likely = types.filter(({ probability }, index) => index === 0 || probability >= minType).slice(0, maxTypes)
  const questions = attributes.filter(isRanked).flatMap((entry): Question[] => {
    const { name, question, valueMeanings } = entry
    if (question === undefined) return []
    const ranked = likely.map(({ value }) => rankEntry(entry, { itemType: value, heads, colour, attribute: {} }))
    const possible = new Set(ranked.flat().map(({ value }) => value))
    // In the catalogue's order, which does not reveal what the network predicts.
    const values = [...allValues(entry)].filter((value) => possible.has(value))
    if (values.length < 2 || !(entry.head === 'type' || ranked.some(isUnsure))) return []
    const options = Object.fromEntries(values.map((value) => [value, valueMeanings?.[value] ?? null]))
    return [{ attribute: name, text: question, options }]
  })
  return [...questions, shownQuestion]
}

const maxSide = 768

/** Side of the square, relative to the longer side of the garment. */
const margin = 1.12

/**
 * The square around a garment as JPEG, at most 768 pixels wide, with no metadata. What lies outside of the picture is
 * grey.
 * @param outlines in pixels of the picture
 */
export function encodeSquare(picture: Picture, outlines: readonly (readonly Point[])[]): Uint8Array {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of outlines.flat()) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  const side = Math.max(right - left, bottom - top) * margin
  const square = { left: (left + right - side) / 2, top: (top + bottom - side) / 2, side }
  const size = Math.max(1, Math.min(maxSide, Math.round(side)))
  const rgb = sampleSquare(picture, square, size, outsideLevel)
  const data = new Uint8ClampedArray(size * size * 4)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from]!
    data[to + 1] = rgb[from + 1]!
    data[to + 2] = rgb[from + 2]!
  }
  return encodeJpeg({ width: size, height: size, data })
}

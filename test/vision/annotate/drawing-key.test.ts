import { expect, it } from 'vitest'
import { annotatePicture, drawingKey } from '../../../src/vision/annotate/annotate-picture.ts'
import { analyse, tagAnalysis } from '../../../src/vision/tag-analysis.ts'
import type { Tagging } from '../../../src/vision/tagging.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'

const { picture } = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 450, height: 600 })
const tagging = tagAnalysis(await analyse(picture, undefined), { attribute: {} })
const [line] = tagging.lines
if (line === undefined) throw new Error('No line was measured')

it.each<[string, Partial<Tagging>, boolean]>([
  ['the item type', { itemType: 'Dress' }, false],
  ['the colour', { tag: { ...tagging.tag, Colour: 'Pink' } }, false],
  ['the swatch', { tag: { ...tagging.tag, 'Colour Hex': '#ff00aa' } }, false],
  ['a length', { lines: [{ ...line, cm: line.cm + 10 }, ...tagging.lines.slice(1)] }, false],
  ['the lines', { lines: [] }, false],
  ['the landmarks', { landmarks: {} }, false],
  ['a confidence', { tag: { ...tagging.tag, 'Item Type Confidence': 'Low' } }, true],
])('results that differ in %s have the same drawing key only if their drawings are equal', (_, change, isSame) => {
  const changed = { ...tagging, ...change }
  expect(drawingKey(changed) === drawingKey(tagging)).toBe(isSame)
  const [before, after] = [tagging, changed].map((each) => annotatePicture(picture, each).data)
  expect(before?.every((level, i) => level === after?.[i])).toBe(isSame)
})

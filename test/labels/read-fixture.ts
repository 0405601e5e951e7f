import { readFileSync } from 'node:fs'
import { decodeLabel, maxCropBytes, readDecodedLabel } from '../../src/labels/read-label.ts'
import { labelKeys } from '../../src/labels/understanding/understand-label.ts'
import { readJpegHeader } from '../../src/vision/image/read-jpeg-header.ts'
import truths from '../fixtures/labels/labels.json'

export const readFixture = async (name: string) =>
  await readDecodedLabel(await decodeLabel(new Uint8Array(readFileSync(`test/fixtures/labels/${name}`))))

/** Reads labels. Returns the share of right values, wrong values with confidence High, and bad boxes or crops. */
export async function readLabels(names: readonly string[]) {
  let [present, right] = [0, 0]
  const mistakes: unknown[] = []
  const shapes: unknown[] = []
  for (const [name, truth] of Object.entries(truths)) {
    if (!names.includes(name)) continue
    const { values, size } = await readFixture(name)
    for (const key of labelKeys) {
      const [value, wanted] = [values[key], truth[key]]
      if (wanted !== null) present++
      if (wanted !== null && value?.value === wanted) right++
      if (value?.confidence === 'High' && value.value !== wanted) mistakes.push([name, key, value.value, wanted])
      if (value === undefined) continue
      const [left, top, end, bottom] = value.box
      const isInside = 0 <= left && left < end && end <= size[0] && 0 <= top && top < bottom && bottom <= size[1]
      const { width, height } = readJpegHeader(value.crop)
      const isSmall = width <= 640 && height <= 160 && value.crop.length <= maxCropBytes
      if (!isInside || !isSmall) shapes.push([name, key, value.box, width, height])
    }
  }
  return { share: right / present, mistakes, shapes }
}

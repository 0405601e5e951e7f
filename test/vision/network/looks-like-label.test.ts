import { expect, test } from 'vitest'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { looksLikeLabel, predictPicture } from '../../../src/vision/network/predict-picture.ts'

test('a picture is a label from a probability of one half on', () => {
  const heads = (probability: number) => ({
    label: [['Garment', 1 - probability] as const, ['Label', probability] as const],
  })
  expect(looksLikeLabel(heads(0.51))).toBe(true)
  expect(looksLikeLabel(heads(0.49))).toBe(false)
})

test('drawn garments are no labels', async () => {
  for (const itemType of ['T-Shirt', 'Jeans', 'Bag'] as const) {
    const { picture } = makeFlatLay(5, { itemType, colour: 'Red', pattern: 'Printed', width: 400, height: 500 })
    expect(looksLikeLabel((await predictPicture(picture)).heads)).toBe(false)
  }
})

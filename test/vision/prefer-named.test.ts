import { expect, it } from 'vitest'
import { namedTypes } from '../../src/garments/list/synonyms.ts'
import { preferNamed } from '../../src/vision/combine-pictures.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'

const worn = [
  { value: 'Shirt', probability: 0.6 },
  { value: 'Jeans', probability: 0.2 },
  { value: 'Trousers', probability: 0.1 },
]

it.each([
  ['Women > Trousers', ['Jeans', 'Trousers', 'Shirt']],
  ['Damen > Hosen', ['Jeans', 'Trousers', 'Shirt']],
  ['Chemises', ['Shirt', 'Jeans', 'Trousers']],
  ['Summer sale', ['Shirt', 'Jeans', 'Trousers']],
])('the category %s decides which of several garments is meant, and names no type by itself', (category, order) => {
  const types = preferNamed(worn, namedTypes(category))
  expect(types.map(({ value }) => value)).toEqual(order)
  expect(types.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(0.9)
})

it('boots are shoes to whoever sorts them as shoes', () => {
  const [first] = preferNamed([{ value: 'Boots', probability: 0.8 }], namedTypes('Shoes'))
  expect(first?.probability).toBeCloseTo(0.8)
})

it('a category that the picture plainly contradicts changes no item type', async () => {
  const { picture } = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain' })
  const { tag } = await tagPicture(encodeJpeg(picture, 88), { attribute: {}, named: namedTypes('Trousers') })
  expect(tag['Item Type']).toBe('T-Shirt')
})

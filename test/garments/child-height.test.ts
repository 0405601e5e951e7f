import { expect, it } from 'vitest'
import { readChild } from '../../src/garments/listing-values.ts'

it.each([
  ['Boys', '128', 128],
  ['Girls', '122/128', 125],
  ['Kids', 'EU 110', 110],
  ['Mädchen', '6 Jahre', 116],
  ['Boys', '7-8 years', 125],
  ['Girls', '10Y', 140],
  ['Baby', '3 months', 62],
  ['Baby girls', '12-18 M', 83],
  ['Kids', '2 T', 92],
  ['Girls', '110 (4-5Y)', 110],
  ['Boys', '122/128 (6-8 Y)', 125],
  ['Kids', '104 / 4 years', 104],
  ['Baby', '6-9 M, 68-74 cm', 71],
  ['Unisex Kids', '128', 128],
  ['Baby unisex', '6 M', 68],
  ['Child (male)', '104', 104],
])('%s in size %s are children of %d cm', (Gender, Size, height) => {
  expect(readChild({ Gender, Size })).toEqual({ height, isSized: true })
})

it.each([
  ['Boys', '', 122],
  ['Kids', 'M', 122],
  ['Kids', '38', 122],
  ['Kids', '40 years', 122],
  ['Kids', '1 2 3', 122],
  ['Kids', '104 110 116', 122],
  ['Baby', 'one size', 74],
])('the height of %s in size “%s” is not known', (Gender, Size, height) => {
  expect(readChild({ Gender, Size })).toEqual({ height, isSized: false })
})

it.each([{ Gender: "Men's", Size: '128' }, { Gender: 'Unisex', Size: '122' }, { Size: '128' }, {}])(
  '%j is not for a child',
  (attribute) => {
    expect(readChild(attribute)).toBe(undefined)
  },
)

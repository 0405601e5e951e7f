import { expect, it } from 'vitest'
import { readDecimal } from '../../src/dashboard/form.ts'

it.each([
  ['68.5', 68.5],
  [' 68,5 ', 68.5],
  ['70', 70],
  ['-1', -1],
  ['1.234,5', Number.NaN],
  ['1,234.5', Number.NaN],
  ['68,5 cm', Number.NaN],
  ['1e3', Number.NaN],
  ['', Number.NaN],
])('the decimal %j is read as %d', (text, number) => {
  expect(readDecimal(text)).toBe(number)
})

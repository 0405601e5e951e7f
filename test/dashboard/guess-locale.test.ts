import { expect, it } from 'vitest'
import { guessLocale } from '../../src/dashboard/guess-locale.ts'

it.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'CHF', 'de'],
  ['de,en;q=0.5', 'EUR', 'de'],
  ['en-GB', 'GBP', 'en'],
  ['en', 'USD', 'en'],
  ['fr-FR', 'EUR', 'fr'],
  ['sv-SE,sv', 'SEK', 'en'],
  ['zh-Hant-TW', 'USD', 'en'],
  ['*', 'USD', 'en'],
  ['', 'USD', 'en'],
  [undefined, 'USD', 'en'],
])('a browser with the languages %s suggests %s and listings in %s', (header, currency, language) => {
  expect(guessLocale(header)).toEqual({ currency, language })
})

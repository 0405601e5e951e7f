import { type Language, languages } from '../garments/listing-texts/listing-words.ts'

const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

const currencies = new Map([
  ...euroCountries.map((country) => [country, 'EUR'] as const),
  ...Object.entries({
    US: 'USD',
    GB: 'GBP',
    CH: 'CHF',
    SE: 'SEK',
    DK: 'DKK',
    NO: 'NOK',
    PL: 'PLN',
    CZ: 'CZK',
    HU: 'HUF',
    RO: 'RON',
    TR: 'TRY',
    JP: 'JPY',
    CN: 'CNY',
    KR: 'KRW',
    IN: 'INR',
    AU: 'AUD',
    NZ: 'NZD',
    CA: 'CAD',
    MX: 'MXN',
    BR: 'BRL',
  }),
])

/** Guesses a shop's currency and listing language from the browser's `Accept-Language` header. */
export function guessLocale(acceptLanguage: string | undefined): {
  readonly currency: string
  readonly language: Language
} {
  const [, tag = 'en-US'] = /^\s*([a-z]{2,3}(?:-[a-z\d]{2,8})*)/i.exec(acceptLanguage ?? '') ?? []
  // Adds the likely country to a language without one, such as DE to `de`.
  const { language, region = '' } = new Intl.Locale(tag).maximize()
  return {
    currency: currencies.get(region) ?? 'USD',
    language: languages.find((each) => each === language) ?? 'en',
  }
}

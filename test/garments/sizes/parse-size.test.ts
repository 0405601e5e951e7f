import { describe, expect, it } from 'vitest'
import { parseSize } from '../../../src/garments/sizes/parse-size.ts'
import type { SizeContext } from '../../../src/garments/sizes/size-rules.ts'

/** `system value` or `system value (type)`; empty for no size. */
function read(text: string, context?: SizeContext): string {
  const size = parseSize(text, context)
  return size === null ? '' : `${size.system} ${size.value}${size.type === null ? '' : ` (${size.type})`}`
}

type Expected = Readonly<Record<string, string>>

const sizes: readonly (readonly [name: string, context: SizeContext, expected: Expected])[] = [
  [
    'letters',
    {},
    {
      XXL: 'letter 2XL',
      '2X-Large': 'letter 2XL',
      'XX-S': 'letter XXS',
      XXXS: 'letter 3XS',
      'extra extra large': 'letter 2XL',
      'Größe: XL!': 'letter XL',
      'XXL/3XL': 'letter 2XL/3XL',
      'S to M': 'letter S/M',
      'Tam. GG': 'letter XL',
      'Talla CH': 'letter S',
      'L/G': 'letter L',
      'Mens XLT': 'letter XL (big_tall)',
      'Short M': 'letter M (petite)',
      'Black / XL': 'letter XL',
      mediun: 'letter M',
      'feels like a L': 'letter L',
      'M (38)': 'letter M',
      M号: 'letter M',
    },
  ],
  [
    'one size',
    {},
    {
      OSFM: 'one_size One Size',
      'T.U.': 'one_size One Size',
      'Tamanho único': 'one_size One Size',
      Einheitsgröße: 'one_size One Size',
      フリーサイズ: 'one_size One Size',
    },
  ],
  [
    'numbers of countries',
    { wearer: 'women' },
    {
      'GB 12': 'UK 12',
      'size 12 uk': 'UK 12',
      'US 4/6': 'US 4/6',
      'D 40 / F 42 / I 46': 'DE 40',
      I42: 'IT 42',
      'T.38': 'FR 38',
      'Gr.42': 'DE 42',
      'tg. 46': 'IT 46',
      '36/38': 'EU 36/38',
      'RUS 50': 'none 50',
      'Size 14': 'none 14',
      '12 (40)': 'none 12',
      '2X': 'letter 2X (plus)',
      '18W': 'US 18 (plus)',
      '12 Short': 'UK 12 (petite)',
      Kurzgröße: '',
      K21: 'DE 21 (petite)',
      'Umstandsgröße M': 'letter M (maternity)',
      '10.5.2024': '',
    },
  ],
  [
    'men',
    { wearer: 'men' },
    {
      '42L': 'UK 42 (tall)',
      '46R': 'UK 46 (regular)',
      '50': 'none 50',
      '16½': 'collar_in 16.5',
      '17"': 'collar_in 17',
      'Kragenweite 43/44': 'collar_cm 43/44',
      '16.5 34/35': 'collar_in 16.5',
      'XL (Chest 44-46")': 'letter XL',
      '36/32': 'waist_length W36 L32',
    },
  ],
  [
    'trousers',
    { wearer: 'men', kind: 'trousers' },
    {
      '32" waist': 'waist_length W32',
      'Weite 32 Länge 34': 'waist_length W32 L34',
      '36 x 32': 'waist_length W36 L32',
      '34L': 'waist_length W34 (tall)',
      '48 (W32)': 'EU 48',
      '50': 'none 50',
    },
  ],
  [
    'children',
    { wearer: 'kids' },
    {
      '7-8': 'age_years 7-8 years',
      '7/8': 'none 7/8',
      '10-11Y (146cm)': 'age_years 10-11 years',
      '3½ years': 'age_years 3.5 years',
      '104 / 4 years': 'height_cm 104',
      '122/128': 'height_cm 122-128',
      'Größe 116': 'height_cm 116',
      '4T/5T': 'US 4T',
      YXL: 'letter XL',
      '5 лет': 'age_years 5 years',
    },
  ],
  [
    'babies',
    { wearer: 'baby' },
    {
      '6-9': 'age_months 6-9 months',
      '12/18 mois': 'age_months 12-18 months',
      '68/6M': 'height_cm 68',
      NB: 'age_months Newborn',
      'up to 1 month': 'age_months 0-1 months',
      '1 an': 'age_years 1 year',
    },
  ],
  [
    'shoes',
    { kind: 'shoes' },
    {
      '43⅓': 'shoe_eu 43 1/3',
      '37,5': 'shoe_eu 37.5',
      'EU 37.5 / 24 cm': 'shoe_eu 37.5',
      '42 (UK 8)': 'shoe_eu 42',
      '9.5 D(M) US': 'shoe_us 9.5',
      '9 M': 'shoe_us 9',
      '10.5': 'none 10.5',
      'child UK 9': 'shoe_uk 9C',
      '11K': 'shoe_us 11C',
      '39 wide': 'shoe_eu 39',
      '38, 39, 40': '',
    },
  ],
  [
    'bras',
    { wearer: 'women', kind: 'bra' },
    { '34-B': 'bra 34B', '80 C': 'bra 80C', 'UK 34DD': 'bra 34DD', '34/75B': 'bra 75B', C80: 'bra 80C', M: 'letter M' },
  ],
  ['hats', { kind: 'hat' }, { '7⅜': 'none 7 3/8', '57-58cm': 'none 57-58 cm', '58 (M)': 'letter M' }],
  ['bags', { kind: 'bag' }, { '30 x 20': '', 'H 25 W 30 D 10': '', '12"': '' }],
  [
    'texts that are no size',
    {},
    Object.fromEntries(
      (
        'see label|No tag|n/a|100% cotton|19,99 €|£12|12.99|runs small|XS-XL|S, M, L|M, L|S/M/L|Petite|42" chest|' +
        'https://example.com/s|12345|2026-04-06|I am not sure|one of a kind|M&S|#REF!|'
      )
        .split('|')
        .map((text) => [text, '']),
    ),
  ],
]

describe('a size text', () => {
  it.each(sizes)('is read: %s', (_, context, expected) => {
    const found = Object.fromEntries(Object.keys(expected).map((text) => [text, read(text, context)]))
    expect(found).toEqual(expected)
  })

  it('means different things for different garments', () => {
    expect(read('14T', { wearer: 'women' })).toBe('US 14 (tall)')
    expect(read('4T', { wearer: 'kids' })).toBe('US 4T')
    expect(read('6M', { wearer: 'baby' })).toBe('age_months 6 months')
    expect(read('6M', { kind: 'shoes' })).toBe('shoe_us 6')
    expect(read('110 cm', { wearer: 'kids' })).toBe('height_cm 110')
    expect(read('110 cm', { wearer: 'men', kind: 'belt' })).toBe('none 110 cm')
  })

  it('that a spreadsheet has turned into a date is only a hint', () => {
    expect(parseSize('08. Jun')).toMatchObject({ value: '6/8', isUnsure: true })
    expect(parseSize('Oct-12')).toMatchObject({ value: '10/12', isUnsure: true })
  })

  it('names its country where it says so', () => {
    expect(parseSize('CN 165/88A')).toMatchObject({ system: 'none', value: '165/88A', country: 'CN' })
    expect(parseSize('JP 11')).toMatchObject({ system: 'none', country: 'JP' })
    expect(parseSize('38GG', { kind: 'bra' })).toMatchObject({ country: 'UK' })
    expect(parseSize('38')).not.toHaveProperty('country')
  })

  it('of any length is read within a time that grows with its length', () => {
    const texts = ['x'.repeat(100), '1/'.repeat(50), 'x x x '.repeat(16), '1 1/2 - '.repeat(12), '('.repeat(100)]
    for (const text of texts) expect(() => parseSize(text)).not.toThrow()
  })
})

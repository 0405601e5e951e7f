import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TextLine } from '../../src/labels/reading/read-lines.ts'
import { parseLabelWords } from '../../src/labels/understanding/label-words.ts'
import { understandLabel } from '../../src/labels/understanding/understand-label.ts'

const words = parseLabelWords(JSON.parse(readFileSync('src/dashboard/public/networks/label-words.json', 'utf8')))

/** A line that was read with confidence. */
const makeLine = (text: string, row: number, height = 20): TextLine => ({
  characters: Array.from(text, (character, i) => ({
    text: character,
    probability: 0.99,
    others: [],
    place: (i + 0.5) / text.length,
    isForeign: false,
  })),
  corners: [
    [0, row * 30],
    [text.length * 10, row * 30],
    [text.length * 10, row * 30 + height],
    [0, row * 30 + height],
  ],
  height,
  row,
})

const understand = (...texts: string[]) =>
  understandLabel(
    texts.map((text, row) => makeLine(text, row)),
    words,
  )
const materialOf = (...texts: string[]) => understand(...texts).Material?.value
const sizeOf = (...texts: string[]) => understand(...texts).Size?.value
const originOf = (...texts: string[]) => understand(...texts)['Country of Origin']?.value

describe('composition', () => {
  test.for([
    [['80% COTTON 20% POLYESTER'], '80% Cotton, 20% Polyester'],
    [['65 % Polyester', '35 % Baumwolle'], '65% Polyester, 35% Cotton'],
    [['100% Laine'], '100% Wool'],
    [['90% BAUMWOLLE·COTTON·BAVLNA·', 'BAWEŁNA·PAMUT', '10% POLYESTER·POLIESTER'], '90% Cotton, 10% Polyester'],
    [['Cotton 60% Elastane 40%'], '60% Cotton, 40% Elastane'],
    [
      ['Shell: 100% polyamide', 'Lining: 80% polyester 20% cotton'],
      'Shell: 100% Polyamide; Lining: 80% Polyester, 20% Cotton',
    ],
    [
      ['Oberstoff: 55% Leinen 45% Viskose', 'Futter: 100% Polyester'],
      'Shell: 55% Linen, 45% Viscose; Lining: 100% Polyester',
    ],
    [['70%COTTON', '20%LINEN', '10M0DAL'], '70% Cotton, 20% Linen, 10% Modal'],
    [['1O0S COTON'], '100% Cotton'],
    [['10OY MERINO'], '100% Merino Wool'],
    [['459% polyester', '55% cotton'], '55% Cotton, 45% Polyester'],
    [['95% pamuk 5% elastan', '95% coton 5% élasthanne'], '95% Cotton, 5% Elastane'],
    [['COTTON 67% LYOCELL 33%', 'BOMULD 67% LYOCELL 33%', 'KATOEN 67% LYOCELL 33%'], '67% Cotton, 33% Lyocell'],
    [['SHELL: 49% COTTON 45', '% POLYESTER, 6', '% ELASTANE'], '49% Cotton, 45% Polyester, 6% Elastane'],
    [['Shell: 87 % viscose ll % polyamide', '2 % silk'], '87% Viscose, 11% Polyamide, 2% Silk'],
    [['58% cotton, 31% polyester, I1% elastane'], '58% Cotton, 31% Polyester, 11% Elastane'],
    [['51% WOOL22% LINEN', '14% MODAL13% LYOCELL'], '51% Wool, 22% Linen, 14% Modal, 13% Lyocell'],
    [
      [
        'EN44% LYOCELL 34%',
        'VISCOSE 16 % COTTON 6',
        '% MODAL',
        'HU 44% LYOCELL 34%',
        'VISZKOZ 16 % PAMUT 6 %',
        'MODAL',
      ],
      '44% Lyocell, 34% Viscose, 16% Cotton, 6% Modal',
    ],
    [['85% POLYESTER 15%', 'BAVLNA 85% POLYESTER 15%', 'COTON 85% POLYESTER 15%'], '85% Cotton, 15% Polyester'],
    [['Yderstof: 54% akryl 46% silke', 'For: 100% bomuld'], 'Shell: 54% Acrylic, 46% Silk; Lining: 100% Cotton'],
  ] as const)('%s is %s', ([texts, value]) => {
    expect(materialOf(...texts)).toBe(value)
  })

  test('shares that do not sum to 100 are left out', () => {
    expect(materialOf('80% COTTON', '10% POLYESTER')).toBeUndefined()
  })

  test('a composition is not High if another part of the label was not understood', () => {
    expect(understand('SHELL: COTTON 96% POLYESTER 4%', 'LINING: 86% COTTON 1% POLYESTER').Material).toMatchObject({
      value: '96% Cotton, 4% Polyester',
      confidence: 'Medium',
    })
  })

  test('a translation that was misread loses the vote', () => {
    expect(materialOf('60% cotton 40% polyester', '60% coton 40% polyester', '50% cotone 50% poliestere')).toBe(
      '60% Cotton, 40% Polyester',
    )
  })
})

describe('size', () => {
  test.for([
    [['SIZE M'], 'M'],
    [['Größe: XXL'], '2XL'],
    [['L'], 'L'],
    [['EUR 38 UK 10 US 6'], 'EU 38'],
    [['W32 L34'], 'W32 L34'],
    [['Taille 122 cm'], '122 cm'],
    [['6-7 years'], '6-7 years'],
    [['TALLA ÚNICA'], 'One size'],
    [['SIZE', '40'], '40'],
    [['IO-II ANS'], '10-11 years'],
    [['15-18 M01S'], '15-18 months'],
    [['EUR.', '48'], 'EU 48'],
    [['MAAT:sXL'], '5XL'],
    [['I28 cm'], '128 cm'],
  ] as const)('%s is %s', ([texts, value]) => {
    expect(sizeOf(...texts)).toBe(value)
  })

  test('temperatures and numbers of care instructions are no size', () => {
    expect(sizeOf('30', 'MACHINE WASH AT 30°C', 'TEMP. OF 110° C', 'RN 54023 CA 23911')).toBeUndefined()
  })

  test('shares after the code of a language are no size', () => {
    expect(sizeOf('IT 88 % COTONE, 12 % CASHMERE', 'FR 75 % MODAL, 25 %', 'ES 10o%')).toBeUndefined()
  })
})

describe('country of origin', () => {
  test.for([
    [['MADE IN UZBEKISTAN'], 'Uzbekistan'],
    [['HERGESTELLT IN PAKISTAN · FABRIQUÉ EN PAKISTAN'], 'Pakistan'],
    [['WYPRODUKOWANO W SRI', 'LANKA'], 'Sri Lanka'],
    [['Fabriqué en Turquie'], 'Turkey'],
    [['PAKISZTÁNBAN GYÁRTVA', 'MADE IN PAKISTAN'], 'Pakistan'],
  ] as const)('%s is %s', ([texts, value]) => {
    expect(originOf(...texts)).toBe(value)
  })

  test('an address says nothing of the origin', () => {
    expect(originOf('GmbH & Co. KG, D-24109 Kiel, Germany', 'Egypt Importer: Cairo, Egypt')).toBeUndefined()
  })
})

describe('brand', () => {
  test('a listed brand that fills a line is certain', () => {
    expect(understand('TOM TAILOR', '100% COTTON').Brand).toMatchObject({ value: 'Tom Tailor', confidence: 'High' })
  })

  test('the largest line is only a suggestion', () => {
    const lines = [makeLine('LARKSPUR', 0, 60), makeLine('100% COTTON', 1), makeLine('MADE IN CHINA', 2)]
    expect(understandLabel(lines, words).Brand).toMatchObject({ value: 'LARKSPUR', confidence: 'Low' })
  })

  test.for(['CALL 0800 123', 'www.larkspur.com', 'info@larkspur.org'])('%s is no brand', (text) => {
    const lines = [makeLine(text, 0, 60), makeLine('100% COTTON', 1), makeLine('MADE IN CHINA', 2)]
    expect(understandLabel(lines, words).Brand).toBeUndefined()
  })
})

test.for([
  [['30', '40', '60'], 'numbers in wash tubs'],
  [['30°', '|30|', 'X', 'XO', 'XX', 'KX', 'P', 'F', 'W', 'O'], 'misread symbols'],
  [['30/', 'XO', '30 / X', 'O0'], 'symbols in a row'],
  [['MAX 110°C', '40 °C', '30C', 'TEMP. 150'], 'temperatures'],
  [['RN 54023', 'CA 23911', 'PO 4500217733', 'Art. 1044 / 812 / 400', 'STYLE 38-1044'], 'numbers of articles'],
  [['Tel. +49 40 123456', '0800 36 40 42', 'FAX: 040/38 40 42'], 'phone numbers'],
  [['WASH DARK COLOURS SEPARATELY', 'IRON ON REVERSE', 'LINE DRY', 'WASH INSIDE OUT'], 'instructions'],
] as const)('%s say nothing: %s', ([texts]) => {
  expect(understand(...texts)).toEqual({})
})

test('care instructions alone say nothing', () => {
  expect(understand('MACHINE WASH AT MAX. TEMP. 30°C', 'MILD PROCESS - DO NOT BLEACH', 'DO NOT TUMBLE DRY')).toEqual({})
})

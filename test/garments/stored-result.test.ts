import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { supplyAttribute } from '../../src/garments/corrections/attributes.ts'
import { lineName, measurementNames } from '../../src/garments/corrections/allowed-values.ts'
import { codedTexts, formatResult, parseResult } from '../../src/garments/stored-result.ts'
import { allValues, attributes, isRanked } from '../../src/vision/attributes/attribute-catalogue.ts'
import { noteSentences, scaleSources, shownValues } from '../../src/vision/scene.ts'
import type { TaggingDetails } from '../../src/vision/tag-picture.ts'
import { realisticGarment } from '../support/stored-garment/realistic-garment.ts'
import { storedResult } from '../support/stored-result.ts'

const ranked = attributes.filter(isRanked)

/** What is answered: the stored result with what the client supplied. */
function read(stored: string, attribute = {}) {
  const { ranked: shares, view, tag, ...result } = parseResult(stored)
  const probabilities = Object.fromEntries(
    Object.entries(shares).map(([name, values]) => [name, values.map(({ probability }) => probability)]),
  )
  return { ...result, tag: supplyAttribute({ tag, measuredAs: result.measuredAs }, attribute), probabilities, view }
}

describe('a stored result', () => {
  it('is read as it was written, without what the client supplied', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { tag, measurements, details, attribute } = realisticGarment(seed)
      expect(read(formatResult({ tag, measurements, details }), attribute)).toEqual({
        tag,
        measurements,
        measuredAs: undefined,
        ...details,
      })
      expect(formatResult({ tag, measurements, details })).not.toContain(attribute.Brand)
    }
  })

  it.each(ranked.map((entry) => [entry.name, [allValues(entry)].flat()] as const))(
    'has a code for every value of %s',
    (name, values) => {
      for (const value of values) {
        const stored = storedResult({ tag: { [name]: value, [`${name} Confidence`]: 'Low' } })
        expect(stored).not.toContain(`"${value}"`)
        expect(parseResult(stored).tag).toEqual({
          [name]: value,
          [`${name} Alternatives`]: [],
          [`${name} Confidence`]: 'Low',
        })
      }
    },
  )

  it.each([
    ['shown', shownValues],
    ['scale', scaleSources],
    ['note', Object.keys(noteSentences)],
    ['line', measurementNames.map(lineName)],
  ] as const)('has a code for every %s', (kind, texts) => {
    for (const text of texts) expect(codedTexts[kind].split(', ')).toContain(text)
  })

  it('has a key for every attribute that the picture tells', () => {
    const told = attributes.filter((entry) => isRanked(entry) || entry.source.client !== true).map(({ name }) => name)
    expect(told.filter((name) => !Object.hasOwn(codedTexts, name))).toEqual([])
  })

  it('keeps values, attributes, notes and measurements that have no code', () => {
    const tag = { 'Item Type': 'Kaftan', 'Item Type Alternatives': ['12'], 'Item Type Confidence': 'High', Old: 'kept' }
    const details = { notes: ['faded'], measuredAs: 'Sari', view: { size: [9, 8], lines: { Drape: [1, 2, 3, 4] } } }
    const stored = storedResult({ tag, measurements: { 'Slit (cm)': 12.5 }, details })
    const { view, ...result } = parseResult(stored)
    expect(result).toMatchObject({
      tag,
      measurements: { 'Slit (cm)': 12.5 },
      notes: ['faded'],
      measuredAs: 'Sari',
    })
    expect(view).toEqual(details.view)
  })

  it('has the confidence that its rounded probability gives', () => {
    const details: Partial<TaggingDetails> = { probabilities: { Fit: [0.85] } }
    const { tag } = parseResult(storedResult({ tag: { Fit: 'Slim', 'Fit Confidence': 'Medium' }, details }))
    expect(tag['Fit Confidence']).toBe('High')
  })

  it('is read for good: no code is ever moved', () => {
    const stored =
      '["8.0",1,2,[7,11],[600,800],[0.1,0,0,0,0.1,0,0,0.001],{"a":[31,844,0,109],"b":[0,535],"j":["#403f44"]},' +
      '[[0,59,1,2,3,4],[15,null,5,6,7,8]],1]'
    expect(parseResult(stored)).toMatchObject({
      tagger: '8.0',
      shown: 'hanging',
      scale: 'estimate',
      notes: ['estimate_either', 'card_hidden'],
      measuredAs: 'Long-Sleeve T-Shirt',
      tag: { 'Item Type': 'Bag', 'Item Type Alternatives': ['T-Shirt'], Colour: 'Black', 'Colour Hex': '#403f44' },
      measurements: { 'Chest (cm)': 59 },
      view: { lines: { Chest: [1, 2, 3, 4], Height: [5, 6, 7, 8] } },
    })
    // What is appended is left out.
    const lengths = [292, 340, 97, 32, 82, 129, 123, 236, 0, 0, 138, 55, 22, 171]
    const known = Object.entries(codedTexts).map(([kind, list], i) => [kind, list.slice(0, lengths[i] ?? 0)])
    expect(createHash('sha256').update(known.join()).digest('hex').slice(0, 16)).toBe('9c0c030da590aa78')
  })
})

import { describe, expect, it } from 'vitest'
import { supplyAttribute } from '../../src/garments/corrections/attributes.ts'
import { formatResult, parseResult } from '../../src/garments/stored-result.ts'
import type { TaggingDetails } from '../../src/vision/tag-picture.ts'
import { realisticGarment } from '../support/stored-garment/realistic-garment.ts'
import { storedResult } from '../support/stored-result.ts'

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

  it('keeps values, attributes, notes and measurements of other versions', () => {
    const tag = {
      'Item Type': 'Kaftan',
      'Item Type Alternatives': ['Robe'],
      'Item Type Confidence': 'High',
      Old: 'kept',
    }
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

  it('has names and readable values', () => {
    const { tag, measurements, details } = realisticGarment(1)
    const stored: unknown = JSON.parse(formatResult({ tag, measurements, details }))
    expect(stored).toMatchObject({
      tagger: details.tagger,
      shown: details.shown,
      attributes: { Colour: { [String(tag['Colour'])]: expect.any(Number) } },
      values: { 'Colour Hex': tag['Colour Hex'] },
    })
  })
})

import { describe, expect, it } from 'vitest'
import { applyCorrections, describeCorrected } from '../../../src/garments/corrections/apply-corrections.ts'
import { correctionProblems, mergeCorrections } from '../../../src/garments/corrections/check-corrections.ts'
import { formatCorrections, parseCorrections } from '../../../src/garments/corrections/correction.ts'
import { machineMeasurements, machineTag } from '../review/complete-garment.ts'

const machine = { tag: machineTag, measurements: machineMeasurements }
const made = { by: { kind: 'api-key', id: 'key', name: '' }, at: 5 } as const
const none = parseCorrections(null)

function correct(
  tag: Record<string, string | null>,
  {
    measurements = {},
    attribute = {},
  }: { measurements?: Record<string, number>; attribute?: Record<string, string> } = {},
) {
  return applyCorrections(machine, mergeCorrections(machine, none, { tag, measurements }, made), attribute)
}

describe('a corrected result', () => {
  it('is what the machine said where nothing was corrected', () => {
    expect(applyCorrections(machine, none, {})).toEqual({ ...machine, lines: {}, corrected: [] })
  })

  it('has the value with the confidence High and without alternatives, and names the key', () => {
    const { tag, corrected } = correct({ Colour: 'Black', Brand: 'Ann' })
    const { 'Colour Hex': _ofNavy, ...others } = machineTag
    expect(tag).toEqual({
      ...others,
      Colour: 'Black',
      'Colour Alternatives': [],
      'Colour Confidence': 'High',
      Brand: 'Ann',
    })
    expect(corrected).toEqual(['Colour', 'Brand'])
  })

  it('has no hex of the colour that was predicted, but that of the person', () => {
    expect(correct({ Colour: 'Black' }).tag).not.toHaveProperty('Colour Hex')
    expect(correct({ Colour: 'Black', 'Colour Hex': '#101010' }).tag['Colour Hex']).toBe('#101010')
    expect(correct({ Colour: 'Navy' }).tag['Colour Hex']).toBe(machineTag['Colour Hex'])
  })

  it('has a confirmed value with the confidence High, and does not name its key', () => {
    const { tag, corrected } = correct({ Colour: 'Navy' })
    expect([tag.Colour, tag['Colour Confidence'], corrected]).toEqual(['Navy', 'High', []])
  })

  it('names a value that was confirmed once a later run predicts another one', () => {
    const patch = { tag: { Colour: 'Navy' }, measurements: { 'Chest (cm)': 52 } }
    const corrections = mergeCorrections(machine, none, patch, made)
    const later = { tag: { ...machineTag, Colour: 'Blue' }, measurements: { 'Chest (cm)': 55 } }
    const { tag, corrected } = applyCorrections(later, corrections, {})
    expect([tag.Colour, tag['Colour Hex'], corrected]).toEqual(['Navy', undefined, ['Colour', 'Chest (cm)']])
  })

  it('loses what does not apply to a corrected item type, and keeps what does', () => {
    const { tag, measurements, corrected } = correct({ 'Item Type': 'Skirt' })
    expect(tag).toEqual({
      Category: 'Clothing',
      Gender: "Women's",
      'Item Type': 'Skirt',
      'Item Type Alternatives': [],
      'Item Type Confidence': 'High',
      Colour: 'Navy',
      'Colour Alternatives': ['Black', 'Blue'],
      'Colour Confidence': 'Low',
      Pattern: 'Plain',
      'Pattern Alternatives': [],
      'Pattern Confidence': 'High',
      'Fabric Type': 'Jersey',
      'Fabric Type Alternatives': ['Linen'],
      'Fabric Type Confidence': 'Medium',
      'Colour Hex': '#1f294c',
    })
    expect([measurements, corrected]).toEqual([{}, ['Item Type']])
    const shirt = correct({ 'Item Type': 'Polo Shirt' })
    expect(shirt.tag).toMatchObject({ Fit: 'Regular', 'Fit Alternatives': ['Slim'], 'Fabric Type': 'Jersey' })
    expect(shirt.tag['Fabric Type Alternatives']).toEqual([])
    expect(shirt.measurements).toEqual(machineMeasurements)
  })

  it("keeps the client's own category and gender when the item type is corrected", () => {
    const attribute = { Category: 'Summer', Gender: 'Girls' }
    const tag = { ...machineTag, ...attribute }
    const corrections = mergeCorrections(machine, none, { tag: { 'Item Type': 'Skirt' }, measurements: {} }, made)
    expect(applyCorrections({ tag, measurements: {} }, corrections, attribute).tag).toMatchObject(attribute)
  })

  it('has the category and gender of the corrected item type where those of the client are blank', () => {
    const { tag } = correct({ 'Item Type': 'Skirt' }, { attribute: { Category: '', Gender: ' ' } })
    expect(tag).toMatchObject({ Category: 'Clothing', Gender: "Women's" })
  })

  it('shows a correction that no longer applies again when the item type comes back', () => {
    const fit = mergeCorrections(machine, none, { tag: { Fit: 'Slim' }, measurements: { 'Chest (cm)': 54.3 } }, made)
    const skirt = mergeCorrections(machine, fit, { tag: { 'Item Type': 'Skirt' }, measurements: {} }, made)
    expect(applyCorrections(machine, skirt, {})).toMatchObject({ measurements: {}, corrected: ['Item Type'] })
    const back = mergeCorrections(machine, skirt, { tag: { 'Item Type': null }, measurements: {} }, made)
    expect(applyCorrections(machine, back, {})).toMatchObject({
      tag: { Fit: 'Slim' },
      measurements: { 'Chest (cm)': 54.5 },
      corrected: ['Fit', 'Chest (cm)'],
    })
  })

  it('has measurements in the order of its item type, and none that only another type has', () => {
    const typed = { 'Hem (cm)': 50, 'Shoulder (cm)': 45, 'Inseam (cm)': 30 }
    const { measurements, corrected } = correct({}, { measurements: typed })
    expect(Object.keys(measurements)).toEqual(['Chest (cm)', 'Body Length (cm)', 'Shoulder (cm)', 'Hem (cm)'])
    expect(corrected).toEqual(['Hem (cm)', 'Shoulder (cm)'])
  })

  it('is described by its own values', () => {
    expect(describeCorrected(machineTag)).toMatch(/^A T-shirt in navy\..* a regular fit/)
    expect(describeCorrected(correct({ 'Item Type': 'Skirt', Colour: 'Black' }).tag)).toMatch(/skirt in black\./)
  })
})

it('a correction keeps what the machine said, when it was made and by whom', () => {
  const stored = formatCorrections(
    mergeCorrections(machine, none, { tag: { Colour: 'Black' }, measurements: { 'Hem (cm)': 50 } }, made),
  )
  expect(parseCorrections(stored)).toEqual({
    lines: {},
    rejected: {},
    tag: { Colour: { value: 'Black', machine: 'Navy', confidence: 'Low', ...made } },
    measurements: { 'Hem (cm)': { value: 50, machine: null, confidence: null, ...made } },
  })
  expect(formatCorrections(none)).toBe(null)
})

it.each([
  [{ Colour: 'Bleu' }, /^tag\.Colour: must be one of Black, .*, Multi$/],
  [{ Nonsense: 'x' }, /^tag\.Nonsense: is not an attribute/],
  [{ 'Fit Confidence': 'High' }, /^tag\.Fit Confidence: is not an attribute/],
  [{ toString: 'x' }, /^tag\.toString: is not an attribute/],
  [{ Brand: ' ' }, /^tag\.Brand: must not be empty/],
  [{ Material: 'x'.repeat(513) }, /^tag\.Material: must be at most 512 characters/],
  [{ Brand: 'a\u0000' }, /^tag\.Brand: must not contain control characters/],
  [{ 'Colour Hex': 'navy' }, /^tag\.Colour Hex: must be a colour such as/],
  [{ 'Item Type': 'Jeans', Fit: 'Oversized' }, /^tag\.Fit: must be one of Skinny, Slim/],
  [{ 'Item Type': 'Bag', Fit: 'Slim' }, /^tag\.Fit: does not apply to the item type Bag/],
  [{ 'Item Type': 'Spoon', Fit: 'Slim' }, /^tag\.Item Type: must be one of T-Shirt/],
])('a correction like %j is refused by naming the wrong key', (tag, problem) => {
  expect(correctionProblems(machine, none, { tag, measurements: {} })).toEqual([expect.stringMatching(problem)])
})

it.each([
  ['Chest (cm)', 0.2, 'must be 0.5 to 500 cm'],
  ['Chest (cm)', 501, 'must be 0.5 to 500 cm'],
  ['Chest', 50, 'is not a measurement; did you mean Chest (cm)?'],
  ['Charm', 50, 'is not a measurement'],
  [
    'Inseam (cm)',
    70,
    'must be one of Chest (cm), Body Length (cm), Shoulder (cm), Sleeve Length (cm), Hem (cm), Cuff (cm) for the item type T-Shirt',
  ],
])('the measurement %s of %d is refused', (name, value, problem) => {
  const problems = correctionProblems(machine, none, { tag: {}, measurements: { [name]: value } })
  expect(problems).toEqual([`measurements.${name}: ${problem}`])
})

it("a client's own text may be confirmed although it is none of our values", () => {
  const own = { ...machine, tag: { ...machineTag, Gender: 'Girls' } }
  expect(correctionProblems(own, none, { tag: { Gender: 'Girls' }, measurements: {} })).toEqual([])
  expect(correctionProblems(own, none, { tag: { Gender: 'Boys' }, measurements: {} })).toHaveLength(1)
})

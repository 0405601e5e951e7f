import { expect, it } from 'vitest'
import { correctionProblems } from '../../src/garments/corrections/check-corrections.ts'
import { getTaxonomy } from '../../src/garments/taxonomy.ts'
import { call, newTenant } from '../service.ts'
import { machineMeasurements, machineTag } from './review/complete-garment.ts'

const machine = { tag: machineTag, measurements: machineMeasurements }
const none = { tag: {}, measurements: {}, lines: {}, rejected: {} }

it('the taxonomy is answered to a tenant, and counts against its rate limit', async () => {
  const { auth } = await newTenant()
  const { status, headers, body } = await call('GET', '/garment-tagging/taxonomy', auth)
  expect([status, headers.get('ratelimit-remaining'), body.data]).toEqual([200, '5', getTaxonomy()])
})

it('every value and measurement that it has for an item type can be given as a correction, and no other', () => {
  for (const { name, values, measurements } of getTaxonomy().item_types) {
    const type = { 'Item Type': name }
    for (const [attribute, allowed] of Object.entries(values)) {
      for (const value of allowed)
        expect(correctionProblems(machine, none, { tag: { ...type, [attribute]: value }, measurements: {} })).toEqual(
          [],
        )
      const wrong = correctionProblems(machine, none, { tag: { ...type, [attribute]: 'Nothing' }, measurements: {} })
      expect(wrong.length).toBe(1)
    }
    const given = Object.fromEntries(measurements.map((measurement) => [measurement, 10]))
    expect(correctionProblems(machine, none, { tag: type, measurements: given })).toEqual([])
  }
})

it('an attribute has its values, unless it takes any text', () => {
  const byName = new Map(getTaxonomy().attributes.map((attribute) => [attribute.name, attribute]))
  expect(byName.get('Brand')).toMatchObject({ values: null, ranked: false, supplied: true })
  expect(byName.get('Gender')).toMatchObject({ values: ["Men's", "Women's", 'Unisex'], supplied: true })
  expect(byName.get('Colour')?.values).toContain('Navy')
  expect(byName.get('Fit')).toMatchObject({ ranked: true, supplied: false })
  expect(byName.get('Colour Hex')?.values).toBe(null)
})

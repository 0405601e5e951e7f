import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { deps, insertGarment } from '../garments/review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

const path = '/dashboard/garment?uuid=g'

async function newPage() {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  const session = await sessionOf(merchant.id)
  return {
    tenantId,
    show: async () => await (await raw('GET', path, session)).text(),
    save: async (fields: Record<string, string>) =>
      await raw('POST', path, { Origin: 'http://service.test', ...session }, new URLSearchParams(fields)),
    result: async () => (await call('GET', '/garment-tagging/query?uuid=g', auth)).body.data,
  }
}

describe('the correction form', () => {
  it('corrects the chosen values, confirms none of the others, and returns to the garment', async () => {
    const page = await newPage()
    const response = await page.save({ 'tag.Colour': 'Black', 'tag.Fit': '', 'measurements.Chest (cm)': '53,5' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=g&done=saved'])
    expect(await page.result()).toMatchObject({
      tag: { Colour: 'Black', 'Colour Confidence': 'High', 'Fit Confidence': 'Medium' },
      measurements: { 'Chest (cm)': 53.5 },
      corrected: ['Colour', 'Chest (cm)'],
    })
    expect(await page.show()).toMatch(/<option value="Black" selected="">/)
  })

  it('confirms all others on request, as far as they apply to the chosen item type', async () => {
    const page = await newPage()
    const fields = { 'tag.Item Type': 'Skirt', 'tag.Colour': '', 'tag.Fit': '', 'tag.Fabric Type': '', confirm: 'rest' }
    expect((await page.save(fields)).status).toBe(303)
    const result = await page.result()
    expect(result).toMatchObject({
      tag: { 'Colour Confidence': 'High', 'Fabric Type Confidence': 'High' },
      corrected: ['Item Type'],
    })
    expect(result.tag).not.toHaveProperty('Fit')
  })

  it('does not confirm the hex of the predicted colour with another colour', async () => {
    const page = await newPage()
    await page.save({ 'tag.Colour': 'Black', 'tag.Colour Hex': '', confirm: 'rest' })
    expect((await page.result()).tag).not.toHaveProperty('Colour Hex')
    await page.save({ 'tag.Colour': '', 'tag.Colour Hex': '', confirm: 'rest' })
    expect((await page.result()).tag).toMatchObject({ Colour: 'Navy', 'Colour Hex': '#1f294c' })
  })

  it('takes back what was emptied and leaves what another person said meanwhile', async () => {
    const page = await newPage()
    await page.save({ 'tag.Colour': 'Black' })
    const patch = { tag: { Fit: 'Slim' }, measurements: {} }
    await correctGarment(
      { ...deps, db: databaseOf(page.tenantId) },
      page.tenantId,
      { uuid: 'g', patch, by: { kind: 'member', id: 's', name: 'Ann' } },
      1,
    )
    await page.save({ 'tag.Colour': '' })
    expect(await page.result()).toMatchObject({ tag: { Colour: 'Navy', Fit: 'Slim' }, corrected: ['Fit'] })
  })

  it('does not undo what another person said since it was opened, and shows it', async () => {
    const page = await newPage()
    const [, base = ''] = /name="base" value="([^"]*)"/.exec(await page.show()) ?? []
    await page.save({ 'tag.Colour': 'Black', 'measurements.Chest (cm)': '53' })
    const stale = await page.save({ base, 'tag.Colour': '', 'measurements.Chest (cm)': '', 'tag.Fit': 'Slim' })
    const text = await stale.text()
    expect(stale.status).toBe(409)
    expect(text).toContain('Somebody else has changed this garment')
    expect(text).toMatch(/<li>Colour: Black<\/li>\s*<li>Chest \(cm\): 53<\/li>/)
    expect(text).toMatch(/<option value="Black" selected="">/)
    expect(text).toMatch(/<option value="Slim" selected="">/)
    expect(await page.result()).toMatchObject({ corrected: ['Colour', 'Chest (cm)'] })
    const [, renewed = ''] = /name="base" value="([^"]*)"/.exec(text) ?? []
    const fields = { base: renewed.replaceAll('&amp;', '&'), 'tag.Colour': 'Black', 'measurements.Chest (cm)': '53' }
    expect((await page.save({ ...fields, 'tag.Fit': 'Slim' })).status).toBe(303)
    expect(await page.result()).toMatchObject({ corrected: ['Colour', 'Fit', 'Chest (cm)'] })
  })

  it('shows a problem at its field and keeps the values', async () => {
    const page = await newPage()
    const response = await page.save({ 'tag.Brand': 'x'.repeat(513), 'measurements.Chest (cm)': 'wide' })
    const text = await response.text()
    expect(response.status).toBe(400)
    expect(text).toContain('id="field-measurements-Chest-cm--problem"')
    expect(text).toContain('Must be a number of 0.5 to 500 cm, such as 68.5.')
    expect(text).toContain('value="wide"')
  })

  it('is not there for a garment that is being tagged', async () => {
    const { tenantId, merchant } = await newTenant()
    await insertGarment(tenantId, 'g', { status: 'processing', result: null })
    const session = await sessionOf(merchant.id)
    expect(await (await raw('GET', path, session)).text()).not.toContain('name="tag.Colour"')
    const headers = { Origin: 'http://service.test', ...session }
    expect((await raw('POST', path, headers, new URLSearchParams({ 'tag.Colour': 'Black' }))).status).toBe(409)
  })
})

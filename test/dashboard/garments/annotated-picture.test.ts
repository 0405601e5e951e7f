import { describe, expect, it } from 'vitest'
import { correctTag, insertGarment } from '../../garments/review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const details = {
  shown: 'flat',
  scale: 'studio',
  notes: [],
  probabilities: {},
  tagger: '6.2',
  view: {
    size: [600, 800],
    scale: 0.1,
    lines: { Chest: [100, 300, 500, 300], 'Body Length': [300, 100, 300, 700] },
  },
}

async function newPages(changes: object) {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'g', changes)
  const session = await sessionOf(merchant.id)
  return { tenantId, show: async (path: string) => await (await raw('GET', `${path}?uuid=g`, session)).text() }
}

const pages = ['/dashboard/garment', '/dashboard/lines', '/dashboard/correct']

describe('the annotated picture', () => {
  it.each(pages)('has the names of its lines as its text, and the description below it: %s', async (path) => {
    const html = await (await newPages({ details })).show(path)
    expect(html).toContain('alt="Annotated picture with lines for Chest, Body Length"')
    expect(html).toContain('<figcaption>A T-shirt in navy. ')
  })

  it.each(pages)('without lines names none: %s', async (path) => {
    expect(await (await newPages({ measurements: {} })).show(path)).toContain('alt="Annotated picture"')
  })

  it.each(pages)('is described as corrected: %s', async (path) => {
    const { tenantId, show } = await newPages({ details })
    await correctTag(tenantId, 'g', { Colour: 'Black' })
    expect(await show(path)).toContain('<figcaption>A T-shirt in black. ')
  })
})

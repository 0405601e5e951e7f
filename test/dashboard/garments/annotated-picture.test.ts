import { annotatedCopyName, copyPath, picturePath } from '../../../src/garments/pictures/stored-copy.ts'
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
  return { tenantId, show: async () => await (await raw('GET', '/dashboard/garment?uuid=g', session)).text() }
}

describe('the picture of a garment', () => {
  it('has the names of its lines as its text, and the description below it', async () => {
    const html = await (await newPages({ details })).show()
    expect(html).toContain('alt="Picture of the garment with lines for Chest, Body Length"')
    expect(html).toContain('<figcaption>A T-shirt in navy. ')
  })

  it('is the copy, under lines with labels, and leads to the annotated picture', async () => {
    const { tenantId, show } = await newPages({ details, pictures: [{ copyId: 'p' }] })
    const html = await show()
    expect(html).toContain(
      `<a href="${picturePath(tenantId, annotatedCopyName('p'))}"><img src="${copyPath(tenantId, 'p')}"`,
    )
    expect(html).toMatch(/<line class="rim" x1="100" y1="300" x2="500" y2="300">/)
    expect(html).toMatch(/<text data-label="Chest" [^>]*>Chest 40\.0 cm<\/text>/)
  })

  it('without lines names none', async () => {
    expect(await (await newPages({ measurements: {} })).show()).toContain('alt="Picture of the garment"')
  })

  it('is described as corrected', async () => {
    const { tenantId, show } = await newPages({ details })
    await correctTag(tenantId, 'g', { Colour: 'Black' })
    expect(await show()).toContain('<figcaption>A T-shirt in black. ')
  })
})

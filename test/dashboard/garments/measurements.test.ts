import { describe, expect, it } from 'vitest'
import { noteSentences, type NoteCode, type ScaleSource } from '../../../src/vision/scene.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const unfound = 'No points of measure were found'

/** Renders the measurements of a garment's page. */
async function sectionOf(scale: ScaleSource | null, notes: readonly NoteCode[], isMeasured = true) {
  const { tenantId, merchant } = await newTenant()
  const details = { shown: 'flat', scale, notes, probabilities: {}, tagger: '6.2' }
  await insertGarment(tenantId, 'g', { details, ...(isMeasured ? {} : { measurements: {} }) })
  const html = await (await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))).text()
  const start = html.indexOf('id="measurements"')
  return html.slice(start, html.indexOf('</details>', start))
}

describe("the measurements on a garment's page", () => {
  it.each([
    ['card', 'from the printed card'],
    ['studio', 'from the studio'],
    ['estimate', 'from usual sizes'],
  ] as const)('say where centimetres come from: %s', async (scale, words) => {
    expect(await sectionOf(scale, [])).toContain(`centimetres ${words}`)
  })

  it('have the notes about the picture below them', async () => {
    const section = await sectionOf('estimate', ['dark', 'estimate'])
    const places = ['class="measures"', noteSentences.dark, noteSentences.estimate].map((text) => section.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('say why there are none', async () => {
    const section = await sectionOf(null, ['worn'], false)
    expect(section).toContain(noteSentences.worn)
    expect(section).not.toContain(unfound)
    expect(section).not.toContain('centimetres from')
  })

  it('say that no points were found where nothing else is known', async () => {
    expect(await sectionOf(null, [], false)).toContain(unfound)
  })
})

import { expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { garments } from '../../../src/platform/db/schema.ts'
import { readRows } from '../../exports/read-rows.ts'
import { insertGarment, machineTag } from '../../garments/review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const unescape = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The form's texts and hidden fields, and its ticked switches, as a browser sends them. */
function fieldsIn(html: string): Record<string, string> {
  const [, form = ''] = /<form[^>]*id="garment-form"(.*?)<\/form>/s.exec(html) ?? []
  const texts = Array.from(form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>\n([^<]*)<\/textarea>/g))
  const hidden = Array.from(form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
  const checked = Array.from(form.matchAll(/name="(block\.\w+)" value="(yes)" checked/g))
  return Object.fromEntries(
    [...texts, ...hidden, ...checked].map(([, name = '', text = '']) => [
      name,
      unescape(text).replaceAll('\n', '\r\n'),
    ]),
  )
}

async function newGarment() {
  const { tenantId, merchant } = await newTenant()
  const tag = { ...machineTag, 'Item Type Confidence': 'High', 'Colour Confidence': 'High' }
  await insertGarment(tenantId, 'g', { tag, attribute: '{"Size":"M","Material":"100% cotton"}' })
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const path = (query: string) => `/dashboard/garment?uuid=g${query}`
  return {
    show: async (query = '') => await (await raw('GET', path(query), session)).text(),
    save: async (fields: Record<string, string>) => await raw('POST', path(''), session, new URLSearchParams(fields)),
    async attribute() {
      const [row] = await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))
      return JSON.parse(row?.attribute ?? '') as Record<string, string>
    },
    async exported(language: string) {
      const form = new URLSearchParams({ format: 'vinted', language, incomplete: 'yes' })
      const file = await raw('POST', '/dashboard/export/file', session, form)
      const [row] = readRows(await file.text())
      return { title: row?.['Title'], description: row?.['Description'] }
    },
  }
}

it('a garment’s page shows the generated texts in their fields, and saving them keeps them generated', async () => {
  const { show, save, attribute, exported } = await newGarment()
  const fields = fieldsIn(await show())
  expect(fields['attribute.Title']).toMatch(/^T-shirt in navy/)
  expect(fields['attribute.Description']).toMatch(/Size: M\r\nMaterial: 100% cotton\r\n.*Chest: 52 cm/s)
  const saved = await save({ ...fields, 'measurements.Chest (cm)': '50' })
  expect(saved.status).toBe(303)
  expect(await attribute()).toEqual({ Size: 'M', Material: '100% cotton' })
  expect((await exported('en')).description).toContain('Chest: 50 cm')
})

it('an edited description is exported exactly, without further blocks', async () => {
  const { show, save, exported } = await newGarment()
  const fields = fieldsIn(await show())
  const edited = `${fields['attribute.Description']}\r\nWorn once.`
  await save({ ...fields, 'attribute.Description': edited })
  const page = await show()
  const text = edited.replaceAll('\r\n', '\n')
  expect([fieldsIn(page)['attribute.Description'], (await exported('en')).description]).toEqual([edited, text])
  await save({ ...fieldsIn(page), 'attribute.Description': '' })
  expect(fieldsIn(await show())['attribute.Description']).toBe(fields['attribute.Description'])
})

it('switches omit blocks of the generated description of one garment', async () => {
  const { show, save, attribute, exported } = await newGarment()
  const { 'block.measurements': _measurements, ...fields } = fieldsIn(await show())
  const renewed = await (await save({ ...fields, intent: 'renew' })).text()
  expect(fieldsIn(renewed)['attribute.Description']).not.toContain('52 cm')
  expect(await attribute()).not.toHaveProperty('Description omits')
  await save(fields)
  expect(await attribute()).toMatchObject({ 'Description omits': 'measurements' })
  const shown = fieldsIn(await show())
  expect(shown).not.toHaveProperty('block.measurements')
  expect(shown['attribute.Description']?.replaceAll('\r\n', '\n')).toBe((await exported('en')).description)
  expect(shown['attribute.Description']).toMatch(/Material: 100% cotton$/)
  await save({ ...shown, 'block.measurements': 'yes' })
  expect(await attribute()).not.toHaveProperty('Description omits')
})

it('each language has its own texts', async () => {
  const { show, save, attribute, exported } = await newGarment()
  const fields = fieldsIn(await show('&language=de'))
  expect(fields['attribute.Title de']).toMatch(/in Marineblau/)
  await save({ ...fields, 'attribute.Title de': 'Ein Hemd' })
  expect(await attribute()).toMatchObject({ 'Title de': 'Ein Hemd' })
  expect([(await exported('de')).title, (await exported('en')).title]).toEqual([
    'Ein Hemd',
    expect.stringMatching(/in navy/),
  ])
})

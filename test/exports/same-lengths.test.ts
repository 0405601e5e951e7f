import { expect, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { shopFormats } from '../../src/exports/shops/shop-formats.ts'
import { streamExport } from '../../src/exports/stream-export.ts'
import { languages } from '../../src/garments/listing-texts/listing-words.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { readRows } from './read-rows.ts'

const view = {
  size: [1000, 1200],
  scale: 0.1,
  lines: { Chest: [100, 400, 620, 400], 'Body Length': [400, 100, 400, 805] },
}
const details = { shown: 'flat', scale: 'estimate', notes: [], probabilities: {}, tagger: '1.0', view }

/** Returns the lengths in a text, in ascending order. */
const lengthsIn = (text: string) =>
  [...text.matchAll(/(\d+(?:[.,]\d+)?) cm\b/g)]
    .map(([, number = '']) => Number(number.replace(',', '.')))
    .toSorted((a, b) => a - b)

const numbersOf = (texts: Iterable<readonly (string | undefined)[]>) =>
  [...texts].flatMap(([, text]) => (text ? [Number(text)] : [])).toSorted((a, b) => a - b)

it('corrected lengths are the same in the API, fields, drawn lines, texts of all languages and all exports', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g', { details })
  const { body } = await call('PATCH', '/garment-tagging/garment?uuid=g', auth, {
    // Rounded to 50.5 and 52.5.
    measurements: { 'Chest (cm)': 50.3 },
    lines: { Hem: { from: [120, 900], to: [643, 900] } },
  })
  const lengths = Object.values(body.data.measurements).toSorted((a, b) => Number(a) - Number(b))
  expect(lengths).toEqual([50.5, 52.5, 70.5])

  const session = await sessionOf(merchant.id)
  for (const language of languages) {
    const page = await (await raw('GET', `/dashboard/garment?uuid=g&language=${language}`, session)).text()
    const [, text = ''] = /<textarea[^>]*name="attribute\.Description[^>]*>([^]*?)<\/textarea>/.exec(page) ?? []
    expect(lengthsIn(text), language).toEqual(lengths)
    const fields = page.matchAll(/name="measurements\.[^>]*?(?:placeholder|value)="([\d.]+)"/g)
    expect(numbersOf(fields)).toEqual(lengths)
    const drawn = page.matchAll(/<text data-label="[^>]*>[A-Z][A-Za-z ]+ ([\d.]+) cm</g)
    expect(numbersOf(drawn)).toEqual(expect.arrayContaining([52.5, 70.5]))
  }

  for (const format of shopFormats) {
    const options = { format, defaults: parseExportDefaults(null, 'EUR'), withIncomplete: true }
    const sent = { publicUrl: 'https://tags.example', nowMs: Date.now() }
    const file = await new Response(await streamExport(databaseOf(tenantId), tenantId, options, sent)).text()
    expect(lengthsIn(file), format).toEqual(lengths)
  }
  const csv = await (await raw('GET', '/garment-tagging/export?format=csv', auth)).text()
  const columns = Object.entries(readRows(csv)[0] ?? {}).filter(([name]) => /^(?!Machine).* \(cm\)$/.test(name))
  expect(numbersOf(columns)).toEqual(lengths)
  const json = await call('GET', '/garment-tagging/export', auth)
  expect(json.body.data['garments']).toMatchObject([{ measurements: body.data.measurements }])
})

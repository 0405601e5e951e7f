import { expect, it } from 'vitest'
import { readCsvTable } from '../platform/csv/read-csv-table.ts'
import { writeRow } from '../../src/platform/csv/write-csv.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { newTenant, raw } from '../service.ts'

const image = 'http://127.0.0.1:9/a.jpg'
const limits = { maxRows: 1000, maxColumns: 60, maxRowLength: 40_000 }

async function newShop() {
  const session = { Origin: 'http://service.test', ...(await sessionOf((await newTenant()).merchant.id)) }
  const importCsv = async (csv: string) => {
    const form = new FormData()
    form.append('csv', csv)
    for (const name of csv.split(/\r?\n/, 1)[0]?.split(',') ?? [])
      if (name === 'Note' || name.startsWith('nn')) form.append(`column.${name}`, name)
    const response = await raw('POST', '/dashboard/imports', session, form)
    return response.headers.get('location') ?? ''
  }
  const report = async (path: string) => await (await raw('GET', `${path}/report.csv`, session)).text()
  return { importCsv, report }
}

const header = ['uuid', 'image_url', 'Brand', 'Price', 'Note']
const rows = [
  ['a', image, 'Ann', '12.00', 'good'],
  ['b', 'ftp://x', 'Bob', '13.00', '=1+1'],
  ['-c', image, '', '', 'x'.repeat(600)],
  ['d'.repeat(129), image, 'Dan', '15.00', ''],
  ['e', image],
  ['f', image, 'Fay', '16.00', 'fine', 'and soft', ' warm'],
]

it('the report is what was sent, with the reasons, and can be put right and imported again', async () => {
  const { importCsv, report } = await newShop()
  const csv = [header, ...rows].map((cells) => writeRow(cells)).join('')
  const first = await report(await importCsv(csv))
  const table = readCsvTable(first, limits)
  expect(table.problems).toEqual([])
  expect(table.columns).toEqual([
    'uuid',
    'image_url',
    'Brand',
    'Note',
    'Price',
    'import_more_cells',
    'import_line',
    'import_status',
    'import_problem',
  ])
  const sent = rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])))
  const shown = table.rows.map(({ values }) => Object.fromEntries(header.map((name) => [name, values[name]])))
  expect(shown).toEqual(sent.map((values) => ({ ...values, uuid: expect.any(String) })))
  const cells = (name: string) => table.rows.map(({ values }) => values[name])
  expect(cells('uuid')).toEqual(['a', 'b', '-c', `${'d'.repeat(127)}…`, 'e', 'f'])
  expect(cells('import_more_cells')).toEqual(['', '', '', '', '', 'and soft,  warm'])
  expect(cells('import_line')).toEqual(['2', '3', '4', '5', '6', '7'])
  expect(cells('import_status').slice(1)).toEqual(['refused', 'refused', 'refused', 'refused', 'refused'])
  expect(cells('import_problem').slice(1)).toEqual([
    'image_url: must be an http or https URL',
    'attribute.Note: must be at most 512 characters',
    'uuid: must be at most 128 characters',
    'There are 2 cells, but 5 columns.',
    'There are 7 cells, but 5 columns.',
  ])

  const repaired = first
    .replace('ftp://x', image)
    .replace('x'.repeat(600), 'short')
    .replace(`${'d'.repeat(127)}…`, 'd')
  const second = readCsvTable(await report(await importCsv(repaired)), limits)
  expect(second.columns).toEqual(table.columns.filter((name) => name !== 'import_more_cells'))
  expect(second.rows.map(({ values }) => values['import_problem'])).toEqual(['', '', '', '', '', ''])
  expect(second.rows.map(({ values }) => [values['uuid'], values['Note']])).toEqual([
    ['a', 'good'],
    ['b', '=1+1'],
    ['-c', 'short'],
    ['d', ''],
    ['e', ''],
    ['f', 'fine'],
  ])
})

it('the report has what pictures show, of refused lines too, and can be imported again', async () => {
  const { importCsv, report } = await newShop()
  const kinds = ['front,label', 'front,side', '']
  const csv = `uuid,image_url,kinds,Brand\n${kinds.map((each, i) => `u${i},${image} ${image}2,"${each}",Ann\n`).join('')}`
  const first = await report(await importCsv(csv))
  const cells = (text: string, name: string) => readCsvTable(text, limits).rows.map(({ values }) => values[name])
  expect(cells(first, 'kinds')).toEqual(['front,label', 'front,side', ','])
  expect(cells(first, 'import_problem')).toEqual(['', expect.stringMatching(/^images\.1\.kind/), ''])
  const again = await report(await importCsv(first.replace('front,side', 'front,flaw')))
  expect(cells(again, 'import_problem')).toEqual(['', '', ''])
  expect(cells(again, 'kinds')).toEqual(['front,label', 'front,flaw', ','])
})

it('a refused row keeps no long name of a column, of which each row would have a copy', async () => {
  const { importCsv, report } = await newShop()
  const name = 'n'.repeat(20_000)
  const csv = `uuid,image_url,${name},Brand\n${Array.from({ length: 20 }, (_, i) => `u${i},${image},1,Ann\n`).join('')}`
  const text = await report(await importCsv(csv))
  expect(text.length).toBeLessThan(20_000)
  const { rows: refused } = readCsvTable(text, limits)
  expect(refused.map(({ values }) => values['Brand'])).toEqual(Array.from({ length: 20 }, () => 'Ann'))
})

it('columns of unknown names are listed with a guess before anything is stored, and what is left out is named', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  await insertGarment(tenantId, 'a')
  const post = async (fields: Readonly<Record<string, string>>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ csv: 'uuid,Preis (EUR),Fadenlauf,Machine\na,5,x,y\n', ...fields }))
      form.append(name, value)
    return await raw('POST', '/dashboard/imports', session, form)
  }
  const asked = await (await post({})).text()
  expect(asked).toContain('Nothing is stored yet')
  expect(asked).toMatch(/name="column\.Preis \(EUR\)"[^]*?<option value="Price" selected/)
  expect(asked).toMatch(/name="column\.Fadenlauf"[^]*?<option value="Fadenlauf" selected/)
  expect(asked).toContain('a,5,x,y')
  expect(asked).not.toContain('Added before')
  const chosen = { 'column.Preis (EUR)': 'Price', 'column.Fadenlauf': 'Fadenlauf', 'column.Machine': '' }
  const location = (await post(chosen)).headers.get('location') ?? ''
  expect(location).toContain('ignored=Machine')
  const page = await (await raw('GET', location, session)).text()
  expect(page).toMatch(/columns? (were|was) ignored[^]*Machine/)
})

import { expect, it } from 'vitest'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { newMember, newTenant, raw } from '../service.ts'
import { sessionOf } from '../dashboard/session-of.ts'

async function newShop() {
  const { merchant, tenantId } = await newTenant()
  const attribute = '{"Price":"12.50","Currency":"EUR","Size":"M","Title":"Blue shirt, worn","Shelf":"B 3"}'
  await insertGarment(tenantId, 'a', { attribute })
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = { ...(await sessionOf(merchant.id)), Origin: 'http://service.test' }
  const post = async (path: string, fields: Record<string, string>, who: Record<string, string> = session) =>
    await raw('POST', path, who, new URLSearchParams(fields))
  return {
    merchant,
    post,
    show: async (path: string) => await (await raw('GET', path, session)).text(),
    save: async (name: string, columns: readonly (readonly [string, string])[]) =>
      await post('/dashboard/export/columns', {
        name,
        ...Object.fromEntries(
          columns.flatMap(([column, value], at) => [
            [`column.${at}`, column],
            [`value.${at}`, value],
          ]),
        ),
      }),
    download: async (name: string, fields = {}) => {
      const answer = await post('/dashboard/export/file', { format: `own.${name}`, ...fields })
      return { status: answer.status, file: answer.headers.get('content-disposition'), text: await answer.text() }
    },
  }
}

it('a file of own columns is saved by name and has what its columns say, of complete garments', async () => {
  const { save, show, download } = await newShop()
  const saved = await save('My shop', [
    ['Name', 'Title'],
    ['Kind', '"simple"'],
    ['Cost', 'Price with currency'],
    ['Place', 'shelf'],
    ['Chest', 'Chest (cm)'],
    ['Colour', 'Colour'],
    ['', ''],
    ['Type', 'Item Type'],
  ])
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/export?done=file-saved'])
  expect(await show('/dashboard/export')).toContain('name="format" value="own.My shop"')
  expect(await show('/dashboard/export/columns?name=My+shop')).toContain('value="Price with currency"')
  const { file, text } = await download('My shop')
  expect(file).toMatch(/^attachment; filename="garments-my-shop-\w+-[\d-]+\.csv"$/)
  // The colour is a guess that nobody has confirmed.
  expect(text.split(/\r?\n/)).toEqual([
    'Name,Kind,Cost,Place,Chest,Colour,Type',
    '"Blue shirt, worn",simple,12.50 EUR,B 3,52,,T-Shirt',
    '',
  ])
})

it('presets begin a file, which replaces one of the same name, and can be removed', async () => {
  const { save, show, post, download } = await newShop()
  for (const [preset, column] of [
    ['Vinted', 'Photos'],
    ['WooCommerce', 'Regular price'],
  ] as const)
    expect(await show(`/dashboard/export/columns?like=${preset}`)).toContain(`value="${column}"`)
  await save('A', [['One', 'Title']])
  await save('A', [['Two', 'Size']])
  expect((await download('A')).text).toBe('Two\r\nM\r\n')
  expect((await post('/dashboard/export/columns/remove', { name: 'A' })).status).toBe(303)
  expect((await download('A')).status).toBe(400)
})

it('each goes on from its own last export', async () => {
  const { save, download, show } = await newShop()
  await save('A', [['Name', 'Title']])
  await save('B', [['Name', 'Title']])
  await download('A')
  expect((await download('A', { since: 'last' })).text).toBe('Name\r\n')
  expect((await download('B', { since: 'last' })).text).toContain('Blue shirt')
  expect(await show('/dashboard/export')).toMatch(/>A<span class="hint"[^>]*>Last whole export: \d/)
})

it.each([
  ['', [['Name', 'Title']], 'Must not be empty'],
  ['x'.repeat(65), [['Name', 'Title']], 'at most 64 characters'],
  ['A', [], 'at least one'],
  ['A', [['Name', '']], 'must not be empty'],
  ['A', [['x'.repeat(129), 'Title']], 'at most 128 characters'],
] as const)('a file %j with the columns %j is refused', async (name, columns, problem) => {
  const { save } = await newShop()
  const answer = await save(name, columns)
  expect([answer.status, (await answer.text()).toLowerCase().includes(problem.toLowerCase())]).toEqual([400, true])
})

it('there are at most 20, and those of a shop are its own', async () => {
  const [shop, other] = [await newShop(), await newShop()]
  for (let i = 0; i < 20; i++) expect((await shop.save(`File ${i}`, [['Name', 'Title']])).status).toBe(303)
  expect((await shop.save('One more', [['Name', 'Title']])).status).toBe(400)
  expect((await shop.save('File 3', [['Name', 'Size']])).status).toBe(303)
  expect((await other.download('File 3')).status).toBe(400)
  await other.post('/dashboard/export/columns/remove', { name: 'File 3' })
  expect((await shop.download('File 3')).status).toBe(200)
  const reviewer = await newMember(shop.merchant.id, 'reviewer')
  const session = { ...(await sessionOf(shop.merchant.id, Date.now(), reviewer.id)), Origin: 'http://service.test' }
  expect((await shop.post('/dashboard/export/columns/remove', { name: 'File 3' }, session)).status).toBe(403)
})

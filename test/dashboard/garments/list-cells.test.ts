import { expect, it } from 'vitest'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { call, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

/** A shop with two garments. `save` changes cells of the list as a browser without scripts does. */
async function newList() {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'a.b', { attribute: '{"PRICE":"5.00","Size":"M"}' })
  await insertGarment(tenantId, 'c', { attribute: '{"Price":"7.00"}' })
  const session = await sessionOf(merchant.id)
  const page = async () => await (await raw('GET', '/dashboard/garments?view=rows', session)).text()
  const base = /name="base" value="([^"]*)"/.exec(await page())?.[1]?.replaceAll('&amp;', '&') ?? ''
  const headers = { Origin: 'http://service.test', ...session }
  const save = async (cells: Record<string, string>) =>
    await raw(
      'POST',
      '/dashboard/garments/cells?stage=listed',
      headers,
      new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(base)), ...cells, base }),
    )
  const attribute = async (uuid: string) =>
    (await call('GET', `/garment-tagging/query?uuid=${uuid}`, auth)).body.data['attribute'] as object
  return { page, save, attribute }
}

it('the cells of a list are saved together, each under its own spelling, and the others stay as they are', async () => {
  const { save, attribute } = await newList()
  const saved = await save({ 'cell.Price.a.b': '6,50', 'cell.Size.c': 'L' })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/garments?stage=listed&done=cells'])
  expect(await attribute('a.b')).toEqual({ PRICE: '6.50', Size: 'M' })
  expect(await attribute('c')).toEqual({ Price: '7.00', Size: 'L' })
})

it('a cell that cannot be saved is named, and all other cells are saved', async () => {
  const { save, attribute } = await newList()
  const refused = await save({ 'cell.Price.a.b': 'dear', 'cell.Price.c': '8' })
  const text = await refused.text()
  expect([refused.status, text.includes('a.b: '), text.includes('All other changed cells were saved.')]).toEqual([
    400,
    true,
    true,
  ])
  expect(await attribute('a.b')).toMatchObject({ PRICE: '5.00' })
  expect(await attribute('c')).toEqual({ Price: '8.00' })
})

it('an emptied cell removes its value, and a sold garment keeps its sale', async () => {
  const { save, attribute } = await newList()
  await save({ 'cell.Size.a.b': '', 'cell.Stage.c': 'sold' })
  expect(await attribute('a.b')).toEqual({ PRICE: '5.00' })
  expect(await attribute('c')).toMatchObject({ Stage: 'sold', 'Sold price': '7.00' })
})

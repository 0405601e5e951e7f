import { expect, it } from 'vitest'
import { insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const tag = { ...machineTag, 'Item Type Confidence': 'High', 'Colour Confidence': 'High', Gender: "Men's" }

async function newShop() {
  const { tenantId, merchant } = await newTenant()
  const insert = async (number: number, attribute: object) =>
    await insertGarment(tenantId, `g${number}`, {
      number,
      tag,
      attribute: JSON.stringify(attribute),
      createdAt: number,
    })
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    insert,
    show: async (query = '') => await (await raw('GET', `/dashboard/export/vinted${query}`, session)).text(),
    mark: async (uuid: string) =>
      await raw('POST', '/dashboard/export/vinted', session, new URLSearchParams({ uuid, language: 'en' })),
    get: async (path: string) => await (await raw('GET', path, session)).text(),
  }
}

const numbersIn = (page: string) =>
  Array.from(page.matchAll(/<section class="card" aria-label="(G-\d+)"/g), ([, number]) => number)

it('the page for Vinted says that it takes no file, and has each value with a copy button, and the pictures', async () => {
  const { insert, show, get } = await newShop()
  await insert(1, { Price: '9.50', Size: 'M', Condition: 'good', Material: '100% cotton' })
  await insert(2, { Stage: 'sold' })
  const page = await show()
  expect(numbersIn(page)).toEqual(['G-1'])
  expect(page).toContain('Vinted takes no file from sellers.')
  for (const value of ['9.50', 'M', 'good', '100% cotton', 'T-shirt']) expect(page).toContain(`data-copy="${value}"`)
  expect(page).toMatch(/data-copy="[^"]*Size: M\nMaterial: 100% cotton/)
  expect(page).toContain('name="select.g1" value="yes"')
  expect(await get('/dashboard/export')).toContain('href="/dashboard/export/vinted"')
})

it('a garment that is marked as on Vinted leaves the list', async () => {
  const { insert, show, mark } = await newShop()
  await insert(1, {})
  expect((await mark('g1')).headers.get('location')).toBe('/dashboard/export/vinted')
  expect(numbersIn(await show())).toEqual([])
  const all = await show('?all=yes')
  expect([numbersIn(all), all.includes('Marked as on Vinted')]).toEqual([['G-1'], true])
})

it('more than ten garments are on several pages', async () => {
  const { insert, show } = await newShop()
  for (let number = 1; number <= 12; number++) await insert(number, {})
  const first = await show()
  const [, next = ''] = /href="\/dashboard\/export\/vinted(\?cursor=[^"]+)"/.exec(first) ?? []
  expect([numbersIn(first).length, numbersIn(await show(next))]).toEqual([10, ['G-11', 'G-12']])
})

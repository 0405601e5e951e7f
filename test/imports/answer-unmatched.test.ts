import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { addUnmatched, chooseGarment, skipUnmatched } from '../../src/imports/answer-unmatched.ts'
import { tenantCounters } from '../../src/platform/db/schema.ts'
import { insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { newImporter, settings } from './tenant-imports.ts'

const foreignFile = `SKU,Name,Images,Regular price\n${Array.from({ length: 50 }, (_, i) => `${i + 1},x,https://b.example/${i}.jpg,1.00\n`).join('')}`

async function newShop() {
  const importer = await newImporter()
  const { tenantId, db } = importer
  for (const [uuid, attribute] of Object.entries({ a: { Price: '9.00' }, b: { SKU: 'A-7' }, c: { SKU: 'A-7' } }))
    await insertGarment(tenantId, uuid, { tag: machineTag, attribute: JSON.stringify(attribute) })
  return {
    ...importer,
    ask: async (text: string) => await importer.store(text, 2000, { asks: true }),
    choose: async (id: string, line: number, garment: string) =>
      await chooseGarment({ db, settings }, tenantId, { id, line, garment }, 3000),
    async states() {
      await importer.run(3000)
      return (await importer.lines()).map(({ uuid, status }) => [uuid, status])
    },
    async price(uuid: string) {
      const found = (await importer.garments()).find((each) => each.uuid === uuid)
      return (JSON.parse(found?.attribute ?? '{}') as { Price?: string }).Price
    },
    async bytes() {
      const [row] = await db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId))
      return row?.rowBytes
    },
  }
}

describe('rows of a file in the dashboard that match no garment for certain', () => {
  let shop: Awaited<ReturnType<typeof newShop>>
  beforeEach(async () => {
    shop = await newShop()
  })

  it('change and add nothing until they are answered, such as SKUs 1 to 50', async () => {
    const before = await shop.garments()
    const id = await shop.ask(foreignFile)
    expect(new Set((await shop.states()).map(([, status]) => status))).toEqual(new Set(['unmatched']))
    expect(await shop.garments()).toEqual(before)
    expect(await shop.imports()).toMatchObject([{ unmatched: 50, waiting: 0, endedAt: 2000 }])
    await addUnmatched(shop.db, shop.tenantId, { id }, 3000)
    await shop.run()
    expect(await shop.imports()).toMatchObject([{ unmatched: 0, tagging: 50, endedAt: null }])
    expect(await shop.garments()).toHaveLength(53)
  })

  it('are left out on request, all of them or one', async () => {
    const id = await shop.ask('SKU,Price\nx,5.00\ny,6.00\n')
    await skipUnmatched(shop.db, shop.tenantId, { id, line: 3 }, 3000)
    expect(await shop.states()).toEqual([
      ['x', 'unmatched'],
      ['y', 'unchanged'],
    ])
    await skipUnmatched(shop.db, shop.tenantId, { id }, 3000)
    expect(await shop.imports()).toMatchObject([{ unmatched: 0, unchanged: 2, edits: 0, endedAt: 2000 }])
  })

  it('add no garment without a picture', async () => {
    const id = await shop.ask('SKU,Price,image_url\nx,5.00,\ny,6.00,https://b.example/y.jpg\n')
    await addUnmatched(shop.db, shop.tenantId, { id }, 3000)
    expect(await shop.states()).toEqual([
      ['x', 'unmatched'],
      ['y', 'tagging'],
    ])
  })

  it('change the garment that a person chooses, by its number, SKU or uuid, with their corrections', async () => {
    await insertGarment(shop.tenantId, 'd', { tag: machineTag, attribute: '{"SKU":"Z-1"}', number: 77 })
    const id = await shop.ask(
      'SKU,Price,Colour,Chest (cm),image_url\nx,5.00,Red,51,https://b.example/x.jpg\ny,6.00,,,\nz,7.00,,,\n',
    )
    await expect(shop.choose(id, 2, 'G-99')).rejects.toMatchObject({ status: 400 })
    await expect(shop.choose(id, 2, 'A-7')).rejects.toMatchObject({ status: 400 })
    const bytes = (await shop.bytes()) ?? 0
    await shop.choose(id, 2, 'a')
    expect((await shop.bytes()) ?? 0).toBeLessThan(bytes)
    await shop.choose(id, 3, 'G-77')
    await shop.choose(id, 4, 'Z-1')
    expect(await shop.states()).toEqual([
      ['a', 'complete'],
      ['d', 'complete'],
      ['d', 'complete'],
    ])
    expect([await shop.price('a'), await shop.price('d')]).toEqual(['5.00', '7.00'])
    const garment = (await shop.garments()).find(({ uuid }) => uuid === 'a')
    expect(JSON.parse(garment?.corrections ?? '{}')).toMatchObject({
      tag: { Colour: { value: 'Red' } },
      measurements: { 'Chest (cm)': { value: 51 } },
    })
    expect(await shop.garments()).toHaveLength(4)
  })

  it("keep a shop's title until the garment is chosen whose exported title it may be", async () => {
    await shop.ask('SKU,Name,Regular price\nx,Blue shirt for men,5.00\n')
    const [line] = await shop.lines()
    expect(line).toMatchObject({ status: 'unmatched', attribute: '{"Price":"5.00","Title":"Blue shirt for men"}' })
  })

  it('include an SKU that several garments have', async () => {
    await shop.ask('SKU,Price\nA-7,5.00\na,6.00\n')
    const [shared, matched] = await shop.lines()
    expect(shared).toMatchObject({ status: 'unmatched', problem: expect.stringContaining('several garments') })
    expect(matched).toMatchObject({ uuid: 'a', status: 'waiting' })
  })

  it('are asked about once: an answer to a line that was answered changes nothing', async () => {
    const id = await shop.ask('SKU,Price\nx,5.00\n')
    await skipUnmatched(shop.db, shop.tenantId, { id }, 3000)
    await shop.choose(id, 2, 'a')
    await addUnmatched(shop.db, shop.tenantId, { id }, 3000)
    expect(await shop.states()).toEqual([['x', 'unchanged']])
    expect(await shop.price('a')).toBe('9.00')
  })
})

it('a row of a file with a column uuid is never asked about, and names a garment to edit by number or SKU as well', async () => {
  const shop = await newShop()
  await insertGarment(shop.tenantId, 'd', { tag: machineTag, attribute: '{"SKU":"Z-1"}', number: 77 })
  await shop.ask(
    'uuid,SKU,Price,image_url\nnew,Z-1,4.00,https://b.example/n.jpg\nG-77,,5.00,\n,Z-1,6.00,\nno,Z-1,7.00,\n',
  )
  expect((await shop.lines()).map(({ uuid, status }) => [uuid, status])).toEqual([
    ['new', 'waiting'],
    ['d', 'waiting'],
    ['d', 'refused'],
    ['no', 'refused'],
  ])
})

import { and, eq, isNotNull, sum } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, garments } from '../../src/platform/db/schema.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { insertGarment } from './review/complete-garment.ts'

it('a garment is a draft until somebody says its stage, by which it is then found, counted and told to those who ask', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['garment.stage_changed'] }
  await call('POST', '/garment-tagging/webhook/endpoints', auth, endpoint)
  for (const uuid of ['a', 'b']) await insertGarment(tenantId, uuid)
  const patch = async (attribute: object) => await call('PATCH', '/garment-tagging/garment?uuid=a', auth, { attribute })
  const sent = async () =>
    (await databaseOf(tenantId).select().from(deliveries).where(eq(deliveries.tenantId, tenantId))).map(
      ({ garmentUuid, kind }) => `${garmentUuid} ${kind}`,
    )
  expect((await patch({ Price: '12' })).status).toBe(200)
  expect(await sent()).toEqual([])
  expect((await patch({ Stage: 'Ready' })).body.data).toMatchObject({ stage: 'ready' })
  expect(await sent()).toEqual(['a stage'])
  expect((await patch({ Stage: 'gone' })).body.error).toEqual([
    'attribute.Stage: must be one of draft, ready, listed, sold, withdrawn',
  ])

  const session = await sessionOf(merchant.id)
  const page = async (path: string) => await (await raw('GET', path, session)).text()
  const found = async (stage: string) => {
    const html = await page(`/dashboard/garments?stage=${stage}`)
    return ['a', 'b'].filter((uuid) => html.includes(`garment?uuid=${uuid}&`))
  }
  expect([await found('ready'), await found('draft'), await found('sold')]).toEqual([['a'], ['b'], []])
  expect(await page('/dashboard')).toMatch(/<strong>1<\/strong> ready/)
  expect((await call('GET', '/garment-tagging/query?uuid=b', auth)).body.data).toMatchObject({ stage: 'draft' })
})

it('a stage is changed by its own name, too, and lists are narrowed by it', async () => {
  const { tenantId, auth } = await newTenant()
  for (const uuid of ['a', 'b']) await insertGarment(tenantId, uuid)
  const patched = await call('PATCH', '/garment-tagging/garment?uuid=a', auth, { stage: 'ready' })
  expect(patched.body.data).toMatchObject({ stage: 'ready' })
  const listed = async (stage: string) =>
    (await call('GET', `/garment-tagging/garments?stage=${stage}`, auth)).body.data.garments
  expect(await listed('ready')).toMatchObject([{ uuid: 'a', stage: 'ready' }])
  expect(await listed('draft')).toMatchObject([{ uuid: 'b' }])
  const priced = await call('GET', '/garment-tagging/garments?min_price=&max_price=x', auth)
  expect(priced.body.error).toEqual(['min_price: must be a number', 'max_price: must be a number'])
})

async function newSale(listing: object = {}) {
  const { tenantId, auth } = await newTenant()
  await insertGarment(tenantId, 'a', { attribute: JSON.stringify(listing) })
  const patch = async (body: object) => (await call('PATCH', '/garment-tagging/garment?uuid=a', auth, body)).body
  const sumOfSales = async () =>
    await databaseOf(tenantId)
      .select({ currency: garments.soldCurrency, total: sum(garments.soldPrice), channel: garments.soldChannel })
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.soldAt)))
      .groupBy(garments.soldCurrency, garments.soldChannel)
  return { auth, patch, sumOfSales }
}

it('a sold garment records its sale, by default at the price of its listing and now', async () => {
  const { auth, patch } = await newSale({ Price: '20.00', Currency: 'EUR' })
  const from = Date.now()
  const { data } = await patch({ stage: 'sold' })
  expect(data).toMatchObject({ stage: 'sold', sold: { price: '20.00', currency: 'EUR', channel: '' } })
  expect(Date.parse(data.sold.at)).toBeGreaterThanOrEqual(from)
  await patch({ listing: { price: '30' } })
  expect((await call('GET', '/garment-tagging/query?uuid=a', auth)).body.data.sold).toEqual(data.sold)
  const listed = await patch({ stage: 'listed' })
  expect(listed.data).toMatchObject({ stage: 'listed', sold: null, listing: { price: '30.00' } })
})

it('sales can be corrected, exported and summed', async () => {
  const { auth, patch, sumOfSales } = await newSale()
  const sold = { price: 17.5, currency: 'usd', at: '2026-11-20', channel: 'Flea market' }
  const sale = { price: '17.50', currency: 'USD', at: '2026-11-20T00:00:00.000Z', channel: 'Flea market' }
  expect((await patch({ stage: 'sold', sold })).data).toMatchObject({ stage: 'sold', sold: sale })
  expect(await sumOfSales()).toEqual([{ currency: 'USD', total: '17.5', channel: 'Flea market' }])
  const exported = await call('GET', '/garment-tagging/export?format=json', auth)
  expect(exported.body.data.garments).toMatchObject([{ stage: 'sold', sold: sale }])
  expect(await (await raw('GET', '/garment-tagging/export?format=csv', auth)).text()).toContain('Flea market')
  await patch({ stage: 'listed' })
  expect(await sumOfSales()).toEqual([])
})

it('a sale needs the stage sold, an amount and a date', async () => {
  const { patch } = await newSale()
  expect((await patch({ sold: { channel: 'eBay' } })).error).toEqual(['attribute.Sold channel: needs the stage sold'])
  expect((await patch({ stage: 'sold', sold: { at: 'yesterday', price: 'much' } })).error).toEqual([
    'attribute.Sold price: must be an amount, such as 12.50 or 12,50 €',
    'attribute.Sold at: must be a date such as 2026-11-29 or 2026-11-29T10:30:00Z',
  ])
})

it('a garment uploaded as sold was sold by then', async () => {
  const { tenantId, auth } = await newTenant()
  const sale = { Stage: 'sold', 'Sold price': '9,50 €', 'Sold channel': 'Vinted' }
  await call('POST', '/garment-tagging/upload', auth, {
    uuid: 'b',
    image_url: 'https://example.com/b.jpg',
    attribute: sale,
  })
  const { data } = (await call('GET', '/garment-tagging/query?uuid=b', auth)).body
  expect(data.sold).toMatchObject({
    price: '9.50',
    currency: 'EUR',
    channel: 'Vinted',
    at: expect.stringMatching(/^20/),
  })

  await insertGarment(tenantId, 'c', { attribute: '{"Stage":"sold","Sold price":"9.50"}', createdAt: 0 })
  const query = await call('GET', '/garment-tagging/query?uuid=c', auth)
  expect(query.body.data.sold).toEqual({ price: '9.50', currency: '', at: '1970-01-01T00:00:00.000Z', channel: '' })
})

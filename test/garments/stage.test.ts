import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries } from '../../src/platform/db/schema.ts'
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

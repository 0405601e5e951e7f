import { expect, it } from 'vitest'
import { newTenant, raw } from '../../service.ts'
import { insertGarment } from '../review/complete-garment.ts'

async function newClient() {
  const { tenantId, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  const query = async () => (await raw('GET', '/garment-tagging/query?uuid=g', auth)).headers.get('etag') ?? ''
  const patch = async (Colour: string, ifMatch?: string) =>
    await raw(
      'PATCH',
      '/garment-tagging/garment?uuid=g',
      { ...auth, 'Content-Type': 'application/json', ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }) },
      JSON.stringify({ tag: { Colour } }),
    )
  return { query, patch }
}

it('a correction with the ETag of the query is refused once somebody else has changed the garment', async () => {
  const { query, patch } = await newClient()
  const version = await query()
  expect(version).toMatch(/^"[0-9a-z]+-[0-9a-z]+"$/)
  const first = await patch('Black', version)
  expect(first.status).toBe(200)
  const second = await patch('Red', version)
  expect([second.status, ((await second.json()) as { message: string }).message]).toEqual([412, 'Garment changed'])
  expect(await query()).toBe(first.headers.get('etag'))
})

it('a correction with one of several ETags, any ETag or none is stored', async () => {
  const { query, patch } = await newClient()
  expect((await patch('Black', `"other", ${await query()}`)).status).toBe(200)
  expect((await patch('Red', '*')).status).toBe(200)
  expect((await patch('Blue')).status).toBe(200)
})

it('an ETag that a proxy made weak by compressing the response counts like the strong one', async () => {
  const { query, patch } = await newClient()
  const version = await query()
  expect((await patch('Black', `W/${version}`)).status).toBe(200)
  expect((await patch('Red', `W/${version}`)).status).toBe(412)
})

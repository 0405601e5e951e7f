import { expect, it } from 'vitest'
import { insertGarment } from './review/complete-garment.ts'
import { newTenant, raw } from '../service.ts'
import { sessionOf } from '../dashboard/session-of.ts'

const origin = 'http://service.test'

async function newVisitor() {
  const { merchant, tenantId } = await newTenant()
  const headers = { ...(await sessionOf(merchant.id)), Origin: origin }
  return {
    tenantId,
    get: async (path: string) => await raw('GET', path, headers),
    post: async (path: string, body: BodyInit = new URLSearchParams()) => await raw('POST', path, headers, body),
  }
}

/** The address that the page's only form of deletion goes to. */
async function deletionOn(page: Response): Promise<string> {
  const found = /action="([^"]*delete[^"]*)"/.exec(await page.text())?.[1]
  if (found === undefined) throw new Error('The page deletes nothing')
  return found
}

it('a garment is put into the bin from its page, and the list says so', async () => {
  const visitor = await newVisitor()
  const uuid = 'a/b & c'
  const page = `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`
  await insertGarment(visitor.tenantId, uuid)
  const deleted = await visitor.post(await deletionOn(await visitor.get(page)))
  const location = deleted.headers.get('location') ?? ''
  expect([deleted.status, location]).toEqual([
    303,
    `/dashboard/garments?done=deleted&binned=${encodeURIComponent(uuid)}`,
  ])
  const list = await (await visitor.get(location)).text()
  expect(list).toContain('The garment is in the bin.')
  expect(list).not.toContain('c</a>')
  expect((await visitor.get(page)).status).toBe(404)
})

it("another tenant's garment cannot be deleted", async () => {
  const [visitor, owner] = [await newVisitor(), await newVisitor()]
  await insertGarment(owner.tenantId, 'g')
  expect((await visitor.post('/dashboard/garment/delete?uuid=g')).status).toBe(404)
  expect((await owner.get('/dashboard/garment?uuid=g')).status).toBe(200)
})

it('an import is put into the bin from its page, and the list says so', async () => {
  const visitor = await newVisitor()
  const form = new FormData()
  form.append('csv', 'uuid,image_url\na,http://127.0.0.1:9/a.jpg\n')
  const page = (await visitor.post('/dashboard/imports', form)).headers.get('location') ?? ''
  const deleted = await visitor.post(await deletionOn(await visitor.get(page)))
  expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/dashboard/imports?done=deleted'])
  const list = await (await visitor.get('/dashboard/imports?done=deleted')).text()
  expect(list).toContain('The import is in the bin.')
  expect((await visitor.get(page)).status).toBe(404)
})

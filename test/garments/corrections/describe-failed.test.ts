import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { fileOf } from '../../support/stored-garment/stored-pictures.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, storedFiles, unreferencedFiles } from '../../../src/platform/db/schema.ts'
import { storeFailure } from '../../../src/garments/failure.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { insertGarment } from '../review/complete-garment.ts'
import { call, databaseOf, newTenant, raw } from '../../service.ts'

const path = '/garment-tagging/garment?uuid=g'
const failed = {
  status: 'failed' as const,
  result: null,
  failure: storeFailure(new PictureError('no_garment')),
  attribute: '{"Brand":"Ann"}',
}

async function newFailed(changes: Parameters<typeof insertGarment>[2] = {}) {
  const tenant = await newTenant()
  await insertGarment(tenant.tenantId, 'g', { ...failed, ...changes })
  return tenant
}

describe('a garment that failed', () => {
  it('is described by hand with its type and colour, and is complete without an annotated picture', async () => {
    const { auth } = await newFailed()
    const patch = { tag: { 'Item Type': 'Skirt', Colour: 'Red' }, measurements: { 'Waist (cm)': 36 } }
    const { status, body } = await call('PATCH', path, auth, patch)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'complete',
      complete: true,
      annotated_img: '',
      failure_reason: '',
      failure_code: '',
      tag: { Brand: 'Ann', Category: 'Clothing', 'Item Type': 'Skirt', Colour: 'Red', 'Colour Confidence': 'High' },
      measurements: { 'Waist (cm)': 36 },
      corrected: ['Item Type', 'Colour', 'Waist (cm)'],
    })
    expect(body.data.description).toMatch(/^A .*skirt in red by Ann\./)
    expect((await call('GET', '/garment-tagging/query?uuid=g', auth)).body).toEqual(body)
    const again = await call('PATCH', path, auth, { tag: { 'Item Type': 'Dress', Pattern: 'Plain' } })
    expect(again.body.data.tag).toMatchObject({ 'Item Type': 'Dress', Colour: 'Red', Pattern: 'Plain' })
  })

  it('has no lines, and a line given for it is refused without a word of an earlier version', async () => {
    const { auth } = await newFailed()
    const lines = { Waist: { from: [10, 10], to: [90, 10] } }
    const { body } = await call('PATCH', path, auth, { tag: { 'Item Type': 'Skirt', Colour: 'Red' }, lines })
    expect(body.error).toEqual([
      'lines.Waist: cannot be placed, because this garment has no stored places; ' + 'give its length in measurements',
    ])
  })

  it.each([
    [{ Pattern: 'Plain' }, 409, /^uuid: this garment failed; give tag\.Item Type and tag\.Colour/],
    [{ 'Item Type': 'Skirt' }, 400, /^tag\.Colour: must be given/],
    [{ 'Item Type': 'Skirts', Colour: 'Red' }, 400, /^tag\.Item Type: must be one of/],
  ])('is not described by %j', async (tag, status, problem) => {
    const { auth } = await newFailed()
    const answer = await call('PATCH', path, auth, { tag })
    expect([answer.status, answer.body.error]).toEqual([status, [expect.stringMatching(problem)]])
    expect((await call('GET', '/garment-tagging/query?uuid=g', auth)).body.data.status).toBe('failed')
  })

  it('keeps its uploaded file, which would have been removed', async () => {
    const id = crypto.randomUUID()
    const { auth, tenantId } = await newFailed({ pictures: [{ file: fileOf(id) }] })
    const db = databaseOf(tenantId)
    await db.insert(storedFiles).values({ tenantId, fileId: id, bytes: 1 })
    await db.insert(unreferencedFiles).values({ tenantId, fileId: id, since: 1 })
    await call('PATCH', path, auth, { tag: { 'Item Type': 'Skirt', Colour: 'Red' } })
    expect((await db.select().from(unreferencedFiles)).filter((file) => file.tenantId === tenantId)).toEqual([])
  })

  it('is reported as complete under a new id, where the report of its failure waits for another attempt', async () => {
    const { auth, tenantId } = await newFailed()
    const db = databaseOf(tenantId)
    const row = { ...taggingDelivery, tenantId, status: 'pending', dueAt: 9e15, createdAt: 1, updatedAt: 1 } as const
    const insert = async (changes: Partial<typeof deliveries.$inferInsert> & { garmentUuid: string }) => {
      const id = crypto.randomUUID()
      await db.insert(deliveries).values({ ...row, ...changes, id })
      return id
    }
    const waiting = [await insert({ garmentUuid: 'g' }), await insert({ garmentUuid: 'g', endpointId: 'b' })]
    const others = [
      await insert({ garmentUuid: 'g', endpointId: 'c', leaseUntil: 9e15 }),
      await insert({ garmentUuid: 'g', kind: 'correction', endpointId: 'd' }),
      await insert({ garmentUuid: 'h' }),
    ]
    await call('PATCH', path, auth, { tag: { 'Item Type': 'Skirt', Colour: 'Red' } })
    const stored = await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))
    const ids = stored.map(({ id }) => id)
    expect([new Set(ids).size, ids.filter((id) => waiting.includes(id))]).toEqual([5, []])
    expect(ids).toEqual(expect.arrayContaining(others))
  })

  it('is described on its page, which shows no annotated picture then', async () => {
    const { merchant } = await newFailed()
    const session = await sessionOf(merchant.id)
    const show = async (address: string) => await (await raw('GET', address, session)).text()
    expect(await show('/dashboard/garment?uuid=g')).toMatch(/<summary>Describe by hand.*name="tag.Colour"/s)
    const form = new URLSearchParams({ 'tag.Item Type': 'Skirt', 'tag.Colour': 'Red', 'tag.Fit': '' })
    const saved = await raw('POST', '/dashboard/garment?uuid=g', { Origin: 'http://service.test', ...session }, form)
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=g&done=saved'])
    const page = await show('/dashboard/garment?uuid=g')
    expect(page).toMatch(/Described by hand: .*no garment/i)
    expect(page).not.toMatch(/<img[^>]+annotated/)
    expect(await show('/dashboard/garments')).not.toMatch(/<img[^>]+annotated/)
  })
})

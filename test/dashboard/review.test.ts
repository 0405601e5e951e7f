import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { reviewedNames } from '../../src/garments/corrections/allowed-values.ts'
import { deliveries, importLines } from '../../src/platform/db/schema.ts'
import { listReviewCounts } from '../../src/garments/review/review-outcomes.ts'
import { putReviewed } from '../../src/garments/review/review.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { correctTag, insertGarment } from '../garments/review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }

async function newReview(reviewed = reviewedNames()) {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'a', { createdAt: 2000 })
  await insertGarment(tenantId, 'b', { createdAt: 1000 })
  await putReviewed(databaseOf(tenantId), tenantId, reviewed)
  const newSession = async () => {
    const session = await sessionOf(merchant.id)
    const post = async (path: string, fields: Record<string, string> = {}, headers = {}) =>
      await raw('POST', path, { ...origin, ...session, ...headers }, new URLSearchParams(fields))
    return {
      post,
      get: async (path: string) => await raw('GET', path, session),
      next: async (query = '') => (await post(`/dashboard/review/next${query}`)).headers.get('location'),
      show: async (uuid: string) => await (await raw('GET', `/dashboard/review?uuid=${uuid}`, session)).text(),
      count: async (query: string) => await (await raw('GET', `/dashboard/review/count${query}`, session)).text(),
      /** Returns the form's hidden field with its original values. */
      base: async (uuid: string) => {
        const page = await (await raw('GET', `/dashboard/review?uuid=${uuid}`, session)).text()
        return /name="base" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
      },
      save: async (uuid: string, fields: Record<string, string>, headers = {}) =>
        await post(`/dashboard/review?uuid=${uuid}`, fields, headers),
    }
  }
  const result = async (uuid: string) => (await call('GET', `/garment-tagging/query?uuid=${uuid}`, auth)).body.data
  return { tenantId, newSession, result, auth }
}

const shown = { 'tag.Item Type': 'T-Shirt', 'tag.Colour': 'Navy', 'tag.Fit': 'Regular', 'tag.Fabric Type': 'Jersey' }

describe('the review page', () => {
  it('confirms the values in doubt, corrects those that were changed, and continues with the next garment', async () => {
    const { newSession, result } = await newReview()
    const session = await newSession()
    expect(await session.next()).toBe('/dashboard/review?uuid=a')
    const page = await session.show('a')
    expect(page.match(/<legend>[\w ]+/g)?.slice(0, 4)).toEqual([
      '<legend>Item Type ',
      '<legend>Colour ',
      '<legend>Fit ',
      '<legend>Fabric Type ',
    ])
    const fields = { ...shown, 'tag.Colour': 'Black', 'tag.Pattern': 'Plain', 'other.Fit': 'Oversized' }
    const response = await session.save('a', fields)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/review?uuid=b'])
    expect(await result('a')).toMatchObject({
      tag: { Colour: 'Black', Fit: 'Oversized', 'Item Type Confidence': 'High', 'Fabric Type Confidence': 'High' },
      corrected: ['Colour', 'Fit'],
    })
    expect((await session.save('b', { ...shown, confirm: 'all' })).headers.get('location')).toBe(
      '/dashboard/review?end=yes',
    )
    expect(await session.show('')).toContain('Nothing to review')
  })

  it('asks about values of Low confidence from the label, and stores them only if they are chosen', async () => {
    const { tenantId, newSession, result } = await newReview()
    const brand = { Brand: { value: 'Larkspur', confidence: 'Low', picture: 'p', box: [0, 0, 9, 9] } }
    await databaseOf(tenantId)
      .$client.prepare("UPDATE garments SET result = json_set(result, '$.label', json(?)) WHERE tenant_id = ?")
      .bind(JSON.stringify(brand), tenantId)
      .run()
    const session = await newSession()
    await session.next()
    const page = await session.show('a')
    expect(page).toContain('Brand on the label')
    expect(page).toMatch(/<input[^>]*name="tag.Brand" value="Larkspur"/)
    await session.save('a', { ...shown, 'tag.Brand': 'Larkspur' })
    expect(await result('a')).toMatchObject({ tag: { Brand: 'Larkspur' }, label: { 'Brand Confidence': 'High' } })
    await session.next()
    await session.save('b', { ...shown, 'tag.Brand': '' })
    expect((await result('b')).tag).not.toHaveProperty('Brand')
    expect((await result('b')).label).not.toHaveProperty('Brand')
    expect(await session.show('b')).not.toContain('Size on the label')
  })

  it("confirms a single value of the label on the garment's page", async () => {
    const { tenantId, newSession, result } = await newReview()
    const size = { Size: { value: 'M', confidence: 'Low', picture: 'p', box: [0, 0, 9, 9] } }
    await databaseOf(tenantId)
      .$client.prepare("UPDATE garments SET result = json_set(result, '$.label', json(?)) WHERE tenant_id = ?")
      .bind(JSON.stringify(size), tenantId)
      .run()
    const session = await newSession()
    const response = await session.post('/dashboard/garment?uuid=a', { label: 'Size' })
    expect(response.status).toBe(303)
    const { label, corrected, tag } = await result('a')
    expect([label, corrected]).toMatchObject([{ Size: 'M', 'Size Confidence': 'High' }, ['Size']])
    expect(tag).toMatchObject({ 'Item Type Confidence': 'Medium' })
    // As the offer to undo it does.
    await session.post('/dashboard/garment?uuid=a', { 'tag.Size': '' })
    expect((await result('a')).label).toMatchObject({ Size: 'M', 'Size Confidence': 'Low' })
  })

  it('sends garment.reviewed to an endpoint that asks for it', async () => {
    const { tenantId, newSession, auth } = await newReview()
    const endpoint = { url: 'http://127.0.0.1:9/', events: ['garment.reviewed'], secret: 'a secret of 24 characters' }
    await call('POST', '/garment-tagging/webhook/endpoints', auth, endpoint)
    const session = await newSession()
    await session.next()
    await session.save('a', shown)
    const sent = await databaseOf(tenantId).select().from(deliveries).where(eq(deliveries.tenantId, tenantId))
    expect(sent).toMatchObject([{ garmentUuid: 'a', kind: 'review' }])
  })

  it('leaves out the fit and fabric that a new item type cannot have', async () => {
    const { newSession, result } = await newReview()
    const session = await newSession()
    await session.next()
    await session.save('a', { ...shown, 'other.Item Type': 'Skirt' })
    expect((await result('a')).tag).toMatchObject({ 'Item Type': 'Skirt', Colour: 'Navy' })
    expect((await result('a')).tag).not.toHaveProperty('Fit')
    expect(await session.next()).toBe('/dashboard/review?end=yes')
  })

  it('ends with an offer to review the garments that were skipped, but not those of another session', async () => {
    const { newSession } = await newReview()
    const [session, other] = [await newSession(), await newSession()]
    expect([await session.next(), await other.next()]).toEqual(['/dashboard/review?uuid=a', '/dashboard/review?uuid=b'])
    expect(await session.next()).toBe('/dashboard/review?end=yes')
    const end = await (await session.get('/dashboard/review?end=yes')).text()
    expect(end).toContain('You have seen all of them')
    expect(end).toContain('Review the skipped ones')
    const again = async () => (await session.post('/dashboard/review/next', { again: 'yes' })).headers.get('location')
    expect([await again(), await session.next()]).toEqual(['/dashboard/review?uuid=a', '/dashboard/review?end=yes'])
    expect(await other.show('b')).not.toContain('no longer reserved for you')
  })

  it('shows a garment to the session that has claimed it only, which no other can save', async () => {
    const { newSession, result } = await newReview()
    const [first, second] = [await newSession(), await newSession()]
    expect([await first.next(), await second.next()]).toEqual(['/dashboard/review?uuid=a', '/dashboard/review?uuid=b'])
    expect(await second.show('a')).toContain('no longer reserved for you')
    await second.save('a', { ...shown, 'tag.Colour': 'Black' })
    expect(await result('a')).not.toHaveProperty('corrected')
    expect((await first.save('a', shown, { Accept: 'application/json' })).status).toBe(204)
  })

  it('does not undo what another person said since it was opened, and shows it', async () => {
    const { tenantId, newSession, result } = await newReview(['Colour'])
    const session = await newSession()
    await session.next()
    const base = await session.base('a')
    await correctTag(tenantId, 'a', { Colour: 'Blue', Fit: 'Slim' })
    const refused = await session.save('a', { ...shown, base })
    const page = await refused.text()
    expect(refused.status).toBe(409)
    for (const part of ['Somebody else has changed', 'Colour: Blue', 'value="Blue" id="field-tag-Colour" checked'])
      expect(page).toContain(part)
    expect(await result('a')).toMatchObject({ tag: { Colour: 'Blue', Fit: 'Slim' } })

    const chosen = { ...shown, 'tag.Colour': 'Black', 'tag.Fit': 'Slim', base: await session.base('a') }
    expect((await session.save('a', chosen)).status).toBe(303)
    expect(await result('a')).toMatchObject({ tag: { Colour: 'Black', Fit: 'Slim' } })
  })

  it('keeps the value that a person chose among those that another person has left out', async () => {
    const { tenantId, newSession } = await newReview(['Colour'])
    const session = await newSession()
    await session.next()
    const base = await session.base('a')
    await correctTag(tenantId, 'a', { Colour: 'Green' })
    const refused = await session.save('a', { ...shown, 'tag.Colour': 'Black', base })
    expect(refused.status).toBe(409)
    expect((await refused.text()).includes('<option value="Black" selected=""')).toBe(true)
  })

  it('saves beside what another person said about attributes that it does not confirm', async () => {
    const { tenantId, newSession, result } = await newReview(['Colour'])
    const session = await newSession()
    await session.next()
    const base = await session.base('a')
    await correctTag(tenantId, 'a', { Fit: 'Slim' })
    expect((await session.save('a', { ...shown, base })).status).toBe(303)
    expect((await result('a')).tag).toMatchObject({ Fit: 'Slim', Colour: 'Navy', 'Colour Confidence': 'High' })
  })

  it('lets a person go back to a garment and change their own value', async () => {
    const { newSession, result } = await newReview(['Colour'])
    const session = await newSession()
    await session.next()
    const base = await session.base('a')
    await session.save('a', { ...shown, 'tag.Colour': 'Black', base }, { Accept: 'application/json' })
    expect((await session.save('a', { ...shown, 'tag.Colour': 'Blue', base })).status).toBe(303)
    expect((await result('a')).tag).toMatchObject({ Colour: 'Blue' })
  })

  it('shows a problem at its value', async () => {
    const { newSession } = await newReview()
    const session = await newSession()
    await session.next()
    const response = await session.save('a', { ...shown, 'tag.Colour': 'Bleu' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('id="field-tag-Colour-problem"')
  })
})

describe('the attributes that a tenant has reviewed', () => {
  const usual = ['Item Type', 'Colour', 'Pattern']

  it('alone are confirmed by “Confirm”, sure or not, and alone count for the accuracy', async () => {
    const { tenantId, newSession, result } = await newReview(usual)
    const session = await newSession()
    await session.next()
    const fields = { ...shown, 'tag.Pattern': 'Plain', 'tag.Closure': 'Pullover' }
    await session.save('a', { ...fields, 'tag.Colour': 'Black', 'other.Fit': 'Oversized' })
    expect((await result('a')).tag).toMatchObject({ 'Fabric Type Confidence': 'Medium', Fit: 'Oversized' })
    const [week] = await listReviewCounts(databaseOf(tenantId), tenantId, 1, Date.now())
    expect(week?.counts).toEqual({
      'Item Type Medium stood': 1,
      'Colour Low changed': 1,
      'Pattern High stood': 1,
    })
  })

  it('are those alone whose doubt brings a garment to the review, counted there', async () => {
    const { newSession } = await newReview(['Sleeve'])
    const session = await newSession()
    expect([await session.next(), (await session.show('')).includes('Nothing to review')]).toEqual([
      '/dashboard/review?end=yes',
      true,
    ])
    const saved = await session.post('/dashboard/review/attributes', { Fit: 'yes', Nothing: 'yes' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/review?done=saved'])
    const page = await session.show('&count=yes')
    expect(page).toContain('2 garments in doubt')
    expect(page).toMatch(/name="Fit" value="yes" checked/)
    expect(await session.next()).toBe('/dashboard/review?uuid=a')
    expect((await session.post('/dashboard/review/attributes', {})).status).toBe(400)
  })

  it('are narrowed to one attribute or one import, from garment to garment', async () => {
    const { tenantId, newSession } = await newReview(usual)
    const sure = { 'Item Type': 'Skirt', 'Item Type Confidence': 'High', Colour: 'Red', 'Colour Confidence': 'Low' }
    await insertGarment(tenantId, 'c', { tag: sure })
    const line = { tenantId, importId: 'i', line: 1, uuid: 'c', attribute: '{}', rowBytes: 0, revision: 'p' }
    await databaseOf(tenantId)
      .insert(importLines)
      .values({ ...line, status: 'complete' })
    const session = await newSession()
    expect(await session.next('?import=i&attribute=Colour')).toBe('/dashboard/review?uuid=c&attribute=Colour&import=i')
    expect(await session.next('?import=other')).toBe('/dashboard/review?end=yes&import=other')
    expect(await session.next('?attribute=Pattern')).toBe('/dashboard/review?end=yes&attribute=Pattern')
    expect(await session.next('?attribute=Item+Type')).toBe('/dashboard/review?uuid=a&attribute=Item+Type')
    const page = await session.show('a&attribute=Item+Type')
    expect(page).toContain('data-count="/dashboard/review/count?attribute=Item+Type"')
    expect(await session.count('?attribute=Item+Type')).toBe('2 garments in doubt')
    expect(await session.count('?import=i')).toBe('1 garment in doubt')
    expect(page).toContain('data-next="/dashboard/review/next?attribute=Item+Type"')
    const saved = await session.save('a&attribute=Item+Type', shown)
    expect(saved.headers.get('location')).toBe('/dashboard/review?uuid=b&attribute=Item+Type')
  })
})

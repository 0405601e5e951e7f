import { describe, expect, it } from 'vitest'
import { call, newTenant, raw } from '../service.ts'
import { insertGarment } from '../review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }

async function newReview() {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'a', { createdAt: 2000 })
  await insertGarment(tenantId, 'b', { createdAt: 1000 })
  const newSession = async () => {
    const session = await sessionOf(merchant.id)
    const post = async (path: string, fields: Record<string, string> = {}, headers = {}) =>
      await raw('POST', path, { ...origin, ...session, ...headers }, new URLSearchParams(fields))
    return {
      next: async () => (await post('/dashboard/review/next')).headers.get('location'),
      show: async (uuid: string) => await (await raw('GET', `/dashboard/review?uuid=${uuid}`, session)).text(),
      save: async (uuid: string, fields: Record<string, string>, headers = {}) =>
        await post(`/dashboard/review?uuid=${uuid}`, fields, headers),
    }
  }
  const result = async (uuid: string) => (await call('GET', `/garment-tagging/query?uuid=${uuid}`, auth)).body.data
  return { newSession, result }
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
    expect((await session.save('b', { ...shown, confirm: 'all' })).headers.get('location')).toBe('/dashboard/review')
    expect(await session.show('')).toContain('Nothing to review')
  })

  it('leaves out the fit and fabric that a new item type cannot have', async () => {
    const { newSession, result } = await newReview()
    const session = await newSession()
    await session.next()
    await session.save('a', { ...shown, 'other.Item Type': 'Skirt' })
    expect((await result('a')).tag).toMatchObject({ 'Item Type': 'Skirt', Colour: 'Navy' })
    expect((await result('a')).tag).not.toHaveProperty('Fit')
    expect(await session.next()).toBe('/dashboard/review')
  })

  it('shows a garment to the session that has claimed it only, which no other can save', async () => {
    const { newSession, result } = await newReview()
    const [first, second] = [await newSession(), await newSession()]
    expect([await first.next(), await second.next()]).toEqual(['/dashboard/review?uuid=a', '/dashboard/review?uuid=b'])
    expect(await second.show('a')).toContain('not reserved for you')
    await second.save('a', { ...shown, 'tag.Colour': 'Black' })
    expect(await result('a')).not.toHaveProperty('corrected')
    expect((await first.save('a', shown, { Accept: 'application/json' })).status).toBe(204)
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

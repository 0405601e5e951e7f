import { getGarment } from '../../../src/garments/garment.ts'
import { parsePictures, type Picture } from '../../../src/garments/pictures/garment-picture.ts'
import { fileOf } from '../../support/stored-garment/stored-pictures.ts'
import { notProcessed, storeRetry } from '../../../src/garments/failure.ts'
import { describe, expect, it } from 'vitest'
import { ImageError } from '../../../src/platform/outbound/fetch-image.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { progressiveJpeg } from '../../fixtures/pictures/progressive-jpeg.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

it('the page of a garment that waits for its next try says why and when', async () => {
  const { tenantId, merchant } = await newTenant()
  // Due far in the future, so that no sweep finds it.
  const waiting = {
    status: 'queuing',
    endedAt: null,
    dueAt: 9e12,
    result: null,
  } as const
  const error = new ImageError('passing', 'host_timeout', { seconds: 15 })
  const failure = storeRetry(error, { tries: 2, nextTryAt: Date.UTC(2026, 10, 21, 12) })
  await insertGarment(tenantId, 'tried', { ...waiting, failure })
  await insertGarment(tenantId, 'new', waiting)

  const session = await sessionOf(merchant.id)
  const pageOf = async (uuid: string) => await (await raw('GET', `/dashboard/garment?uuid=${uuid}`, session)).text()
  const page = (await pageOf('tried')).replaceAll(/<[^>]*>/g, '')
  expect(page).toContain('The image host did not deliver the image within 15 s.')
  expect(page).toContain('It was tried 2 times. Next try: 21 Nov 2026, 12:00:00')
  expect(page).not.toContain('Most garments take less than a second.')
  expect(await pageOf('new')).toContain('Most garments take less than a second.')
})

describe('a garment that failed', () => {
  const attribute = { Brand: 'Acme', Care: 'Wash: cold\nIron: low', Shelf: 'A 1' }

  async function newFailed(picture: Partial<Picture>) {
    const { tenantId, merchant } = await newTenant()
    const failed = { status: 'failed', failure: notProcessed, result: null } as const
    await insertGarment(tenantId, 'a', { ...failed, pictures: [picture], attribute: JSON.stringify(attribute) })
    const session = await sessionOf(merchant.id)
    return {
      session,
      page: async () => await (await raw('GET', '/dashboard/garment?uuid=a', session)).text(),
      stored: async () => {
        const row = await getGarment(databaseOf(tenantId), tenantId, 'a')
        return { ...row, pictures: parsePictures(row), attribute: JSON.parse(row.attribute) as unknown }
      },
    }
  }

  const post = async (path: string, session: Record<string, string>, body: URLSearchParams | Blob) =>
    await raw('POST', path, { ...session, Origin: 'http://service.test' }, body)

  /** Builds the form as browsers send it. */
  const fileForm = (content: string | Uint8Array<ArrayBuffer>) => {
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`
    const parts = [
      `${part('uuid')}\r\n\r\na\r\n${part('image')}; filename="other.jpg"\r\n\r\n`,
      content,
      '\r\n--b--\r\n',
    ]
    return new Blob(parts, { type: 'multipart/form-data; boundary=b' })
  }

  it('is tagged again under its address, with attributes of several lines as they are', async () => {
    const { session, page, stored } = await newFailed({ url: 'https://a.example/x.jpg' })
    expect(await page()).toContain('action="/dashboard/garment/retry"')
    const before = await stored()
    const answer = await post('/dashboard/garment/retry', session, new URLSearchParams({ uuid: 'a' }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=a'])
    const after = await stored()
    expect(after).toMatchObject({ attribute, pictures: [{ url: 'https://a.example/x.jpg' }] })
    expect(after.revision).not.toBe(before.revision)
  })

  it('takes another file in place of its own, on its page, and keeps its attributes', async () => {
    const { session, page, stored } = await newFailed({ file: fileOf(crypto.randomUUID(), 'first.jpg') })
    expect(await page()).toContain('action="/dashboard/garment/retry/file"')
    const refused = await post('/dashboard/garment/retry/file', session, fileForm('text'))
    expect([refused.status, await refused.text()]).toEqual([415, expect.stringContaining('must be a JPEG')])
    expect((await stored()).pictures[0]?.file?.name).toBe('first.jpg')
    const answer = await post('/dashboard/garment/retry/file', session, fileForm(progressiveJpeg))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=a'])
    expect(await stored()).toMatchObject({ attribute, pictures: [{ file: { name: 'other.jpg' } }] })
  })

  it('is not found by other tenants, whose forms create nothing', async () => {
    const [{ stored }, other] = [await newFailed({ url: 'https://a.example/x.jpg' }), await newTenant()]
    const session = await sessionOf(other.merchant.id)
    const retried = await post('/dashboard/garment/retry', session, new URLSearchParams({ uuid: 'a' }))
    const sent = await post('/dashboard/garment/retry/file', session, fileForm(progressiveJpeg))
    expect([retried.status, sent.status]).toEqual([404, 404])
    expect((await stored()).status).toBe('failed')
  })
})

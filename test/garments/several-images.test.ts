import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { findStored } from '../../src/accounts/quotas.ts'
import { rowBytesOf } from '../../src/platform/db/count-rows.ts'
import { garments } from '../../src/platform/db/schema.ts'
import { call, databaseOf, newTenant } from '../service.ts'

const address = (name: string) => `http://127.0.0.1:9/${name}.jpg`

async function newClient() {
  const { tenantId, auth } = await newTenant()
  return {
    tenantId,
    upload: async (body: object) => await call('POST', '/garment-tagging/upload', auth, { uuid: 'g', ...body }),
    images: async () => {
      const { body } = await call('GET', '/garment-tagging/query?uuid=g', auth)
      return body.data['images'] as Readonly<Record<string, unknown>>[]
    },
    row: async () => (await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId)))[0],
  }
}

describe('an upload with several pictures', () => {
  it('has them after image_url, or in place of it, and the query answers them in their order', async () => {
    const client = await newClient()
    const images = [{ url: ` ${address('back')} `, kind: 'back' }, { url: address('other') }]
    expect((await client.upload({ image_url: address('front'), images })).status).toBe(200)
    const answered = await client.images()
    expect(answered).toMatchObject([
      { kind: 'front', original_img: address('front'), annotated_img: '', width: null, failure_code: '' },
      { kind: 'back', original_img: address('back') },
      { kind: null, original_img: address('other') },
    ])
    const other = await newClient()
    await other.upload({ images: [{ url: address('back'), kind: 'back' }, { url: address('front') }] })
    expect(await other.images()).toMatchObject([
      { original_img: answered[1]?.['original_img'], kind: 'back' },
      { original_img: answered[0]?.['original_img'], kind: null },
    ])
  })

  it('may be repeated, and is a conflict with other pictures, kinds or order', async () => {
    const client = await newClient()
    const [back, side] = [{ url: address('back'), kind: 'back' }, { url: address('side') }]
    const body = { image_url: address('front'), images: [back, side] }
    expect([(await client.upload(body)).status, (await client.upload(body)).status]).toEqual([200, 200])
    for (const images of [[back], [side, back], [{ ...back, kind: 'flaw' }, side]]) {
      const { status, body: answer } = await client.upload({ ...body, images })
      expect([status, answer.error[1]]).toEqual([409, expect.stringMatching(/^images: this uuid has 3 /)])
    }
    const first = await client.upload({ ...body, image_url: address('other') })
    expect(first.body.error[1]).toMatch(/^image_url: this uuid has the image/)
  })

  it.each([
    ['none', {}, 'image_url: is required'],
    ['an empty list', { images: [] }, 'image_url: is required'],
    [
      'nine',
      { image_url: address('0'), images: Array.from({ length: 8 }, (_, i) => ({ url: address(String(i + 1)) })) },
      'images: must be at most 8 pictures, the one in image_url included',
    ],
    [
      'the same twice',
      { image_url: address('a'), images: [{ url: address('a') }] },
      'images: must not have the same picture twice',
    ],
    [
      'an unknown kind',
      { images: [{ url: address('a'), kind: 'side' }] },
      'images.0.kind: must be one of front, back, label, detail, flaw, worn, other',
    ],
    ['no address', { images: [{ kind: 'back' }] }, 'images.0.url: is required'],
    ['an address', { images: [address('a')] }, 'images.0: must be an object'],
    [
      'an address that must not be fetched',
      { image_url: address('a'), images: [{ url: address('b') }, { url: 'ftp://a.example/c.jpg' }] },
      'images.1.url: must be an http or https URL',
    ],
  ])('is refused with %s', async (_, body, problem) => {
    const client = await newClient()
    const { status, body: answer } = await client.upload(body)
    expect([status, answer.error]).toEqual([400, [problem]])
  })

  it('names the problems of its pictures beside those of other fields', async () => {
    const { upload } = await newClient()
    const { body } = await upload({ uuid: '', attribute: 5 })
    expect(body.error).toEqual(expect.arrayContaining([expect.stringMatching(/^uuid/), 'image_url: is required']))
  })

  it('counts all its pictures against the quota', async () => {
    const [one, two] = [await newClient(), await newClient()]
    await one.upload({ image_url: address('front') })
    await two.upload({ image_url: address('front'), images: [{ url: address('back'), kind: 'back' }] })
    const bytes = async ({ tenantId }: typeof one) => (await findStored(databaseOf(tenantId), tenantId)).row_bytes
    expect((await bytes(two)) - (await bytes(one))).toBe(rowBytesOf('pictures', address('back')))
  })
})

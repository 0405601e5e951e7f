import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments } from '../../src/platform/db/schema.ts'
import { notProcessed, storeFailure } from '../../src/garments/failure.ts'
import { getGarment } from '../../src/garments/garment.ts'
import { parsePictures, pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { call, databaseOf, newTenant, uploadLimits } from '../service.ts'
import { db, newHolder } from '../tagging/scene.ts'

const upload = {
  pictures: [pictureAt('https://a.example/x.jpg')],
  attribute: { Brand: 'A', Gender: 'B' },
  origin: 'https://s.example',
}
const path = '/garment-tagging/upload'
/** Nothing listens there: the garment stays on its way to a failure while a test looks at it. */
const imageUrl = 'http://127.0.0.1:9/x.jpg'

describe('an upload', () => {
  it('is stored before it is answered, and the query shows it incomplete', async () => {
    const { auth } = await newTenant()
    const { status, body } = await call('POST', path, auth, { uuid: 'a', image_url: imageUrl })
    expect([status, body]).toEqual([200, { status: true, data: {}, error: [], message: 'success!' }])
    const query = await call('GET', '/garment-tagging/query?uuid=a', auth)
    expect(query.body.data).toMatchObject({
      uuid: 'a',
      annotated_img: '',
      tag: null,
      measurements: null,
      description: '',
      complete: false,
      failure_reason: '',
      failure_code: '',
    })
    expect(['queuing', 'processing']).toContain(query.body.data.status)
  })

  it('is the same with blanks around its uuid and its address', async () => {
    const { auth, tenantId } = await newTenant()
    for (const [uuid, image_url] of [
      ['a', imageUrl],
      [' a\t', `\n ${imageUrl} `],
    ])
      expect(await call('POST', path, auth, { uuid, image_url })).toMatchObject({ status: 200 })
    const rows = await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))
    expect(rows).toMatchObject([{ uuid: 'a' }])
    const { body } = await call('GET', '/garment-tagging/query?uuid=%20a%20', auth)
    expect(body.data.images).toMatchObject([{ original_img: imageUrl }])
  })

  it.each(['&amp;', '&#38;', '&#x26;', '&amp;amp;'])(
    'may have %s in its address, for which the host is asked for &',
    async (escaped) => {
      const { auth } = await newTenant()
      const at = (sign: string) => ({ uuid: 'a', image_url: `http://127.0.0.1:9/a.jpg?w=1${sign}h=2` })
      expect((await call('POST', path, auth, at(escaped))).status).toBe(200)
      // The same upload, so nothing is refused.
      expect((await call('POST', path, auth, at('&'))).status).toBe(200)
      const { body } = await call('POST', path, auth, { uuid: 'a', image_url: imageUrl })
      expect(body.error.join(' ')).toContain(`this uuid has the image "${at('&').image_url}"`)
    },
  )

  it('with a uuid of blanks only is refused', async () => {
    const { auth } = await newTenant()
    const { status, body } = await call('POST', path, auth, { uuid: ' \t ', image_url: imageUrl })
    expect([status, body.error]).toEqual([400, ['uuid: must not be empty']])
  })

  it('with the same content again does nothing, in whatever order its attributes come', async () => {
    const tenantId = await newHolder()
    expect(await uploadGarment(db, tenantId, { uuid: 'a', ...upload }, { ...uploadLimits, nowMs: 1000 })).toEqual({
      revision: expect.any(String),
      hasTurn: true,
    })
    const attribute = { Gender: 'B', Brand: 'A' }
    expect(
      await uploadGarment(db, tenantId, { uuid: 'a', ...upload, attribute }, { ...uploadLimits, nowMs: 2000 }),
    ).toBe(null)
    const [row] = await db.select().from(garments).where(eq(garments.tenantId, tenantId))
    expect(row?.createdAt).toBe(1000)
  })

  it('with other content under the same uuid is refused, and the first stays', async () => {
    const tenantId = await newHolder()
    await uploadGarment(db, tenantId, { uuid: 'a', ...upload }, { ...uploadLimits, nowMs: 1000 })
    for (const change of [{ pictures: [pictureAt('https://a.example/y.jpg')] }, { attribute: {} }])
      await expect(
        uploadGarment(db, tenantId, { uuid: 'a', ...upload, ...change }, { ...uploadLimits, nowMs: 2000 }),
      ).rejects.toMatchObject({
        status: 409,
      })
    const garment = await getGarment(db, tenantId, 'a')
    expect(parsePictures(garment)).toMatchObject(upload.pictures)
    expect(garment.createdAt).toBe(1000)
  })

  it('restarts a garment that failed', async () => {
    const tenantId = await newHolder()
    await uploadGarment(db, tenantId, { uuid: 'a', ...upload }, { ...uploadLimits, nowMs: 1000 })
    await db
      .update(garments)
      .set({ status: 'failed', failure: notProcessed, tries: 5, dueAt: null, endedAt: 1500 })
      .where(eq(garments.tenantId, tenantId))
    expect(
      await uploadGarment(db, tenantId, { uuid: 'a', ...upload, attribute: {} }, { ...uploadLimits, nowMs: 2000 }),
    ).not.toBe(null)
    const [row] = await db.select().from(garments).where(eq(garments.tenantId, tenantId))
    expect(row).toMatchObject({ status: 'queuing', failure: null, tries: 0, attribute: '{}', endedAt: null })
    expect(row?.dueAt).toBeGreaterThan(2000)
  })

  it('is stored once when it arrives twice at the same time', async () => {
    const tenantId = await newHolder()
    const both = [upload, upload].map((each) =>
      uploadGarment(db, tenantId, { uuid: 'a', ...each }, { ...uploadLimits, nowMs: 1000 }),
    )
    expect((await Promise.all(both)).filter((stored) => stored !== null).length).toBe(1)
  })

  it.each(['12345', 'ä/ö?&=#%20+ü', '../../etc', '👗', "'; DROP TABLE garments; --", 'x'.repeat(128)])(
    'keeps the uuid %j as it is, through percent-encoding too',
    async (uuid) => {
      const { auth } = await newTenant()
      expect((await call('POST', path, auth, { uuid, image_url: imageUrl })).status).toBe(200)
      const query = await call('GET', `/garment-tagging/query?uuid=${encodeURIComponent(uuid)}`, auth)
      expect(query.body.data.uuid).toBe(uuid)
    },
  )

  it.each([
    [{ uuid: '' }, 'uuid'],
    [{ uuid: 'x'.repeat(129) }, 'uuid'],
    [{ uuid: 'a\u0000' }, 'uuid'],
    [{ uuid: 'a\nb' }, 'uuid'],
    [{ uuid: 5 }, 'uuid'],
    [{ image_url: 'not a url' }, 'image_url'],
    [{ image_url: 'ftp://a.example/x.jpg' }, 'image_url'],
    [{ image_url: `https://a.example/${'x'.repeat(2048)}` }, 'image_url'],
    [{ image_url: undefined }, 'image_url'],
    [{ attribute: { Brand: 5 } }, 'attribute.Brand'],
    [{ attribute: { Brand: 'x'.repeat(513) } }, 'attribute.Brand'],
    [{ attribute: { Brand: 'a\u007f' } }, 'attribute.Brand'],
    [{ attribute: { 'Note\u001b': 'a' } }, 'attribute.Note\u001b'],
    [{ attribute: [] }, 'attribute'],
    [{ attribute: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }, 'attribute'],
  ])('with %j is refused and names %s', async (change, field) => {
    const { auth, tenantId } = await newTenant()
    const { status, body } = await call('POST', path, auth, { uuid: 'a', image_url: imageUrl, ...change })
    expect(status).toBe(400)
    expect(body.error.length).toBe(1)
    expect(body.error[0]?.startsWith(`${field}: `)).toBe(true)
    expect(await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))).toEqual([])
  })
})

it('an attribute may have tabs and line ends', async () => {
  const { auth } = await newTenant()
  const attribute = { Note: 'a\tb\r\nc' }
  expect((await call('POST', path, auth, { uuid: 'a', image_url: imageUrl, attribute })).status).toBe(200)
})

describe('the problems of an upload', () => {
  it.each([
    [{ uuid: '', image_url: '' }, ['uuid: must not be empty', 'image_url: is required']],
    [{}, ['uuid: is required', 'image_url: is required']],
    [
      { uuid: 1, image_url: 2, attribute: 'x' },
      ['uuid: must be given once, as a string', 'image_url: must be a string', 'attribute: must be an object'],
    ],
    [
      { uuid: 'a', image_url: 'ftp://a.example/x.jpg', attributes: {} },
      ['attributes: is not a field; did you mean attribute?', 'image_url: must be an http or https URL'],
    ],
  ])('in %j are all named at once, in plain words', async (body, problems) => {
    const { auth } = await newTenant()
    const answer = await call('POST', path, auth, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body'])
    expect([...answer.body.error].sort()).toEqual([...problems].sort())
  })

  it('are none for a field that is not known', async () => {
    const { auth } = await newTenant()
    expect((await call('POST', path, auth, { uuid: 'a', image_url: imageUrl, note: 'x' })).status).toBe(200)
  })

  it('are cut off after 20', async () => {
    const { auth } = await newTenant()
    const attribute = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]))
    const { body } = await call('POST', path, auth, { uuid: 'a', image_url: imageUrl, attribute })
    expect([body.error.length, body.error[20]]).toEqual([21, 'and 10 more'])
  })
})

describe('a failed garment', () => {
  it.each([[storeFailure(new PictureError('no_garment')), 'No garment found in the image.', 'no_garment']])(
    'stored as %j is queried and exported with its sentence and its code',
    async (failure, reason, code) => {
      const { tenantId, auth } = await newTenant()
      await call('POST', path, auth, { uuid: 'a', image_url: imageUrl })
      await databaseOf(tenantId)
        .update(garments)
        .set({ status: 'failed', failure, dueAt: null, endedAt: 1 })
        .where(eq(garments.tenantId, tenantId))
      const answer = { status: 'failed', failure_reason: reason, failure_code: code }
      expect((await call('GET', '/garment-tagging/query?uuid=a', auth)).body.data).toMatchObject(answer)
      const [exported] = (await call('GET', '/garment-tagging/export', auth)).body.data.garments
      expect(exported).toMatchObject(answer)
    },
  )
})

describe('a query', () => {
  it('requires exactly one uuid', async () => {
    const { auth } = await newTenant()
    for (const search of ['', '?uuid=', '?uuid=a&uuid=b', '?uuid=%00']) {
      const { status, body } = await call('GET', `/garment-tagging/query${search}`, auth)
      expect([search, status]).toEqual([search, 400])
      expect(body.error[0]).toMatch(/^uuid: /)
    }
  })

  it('answers 404 to an unknown uuid, even one with a lone percent sign', async () => {
    const { auth } = await newTenant()
    for (const uuid of ['unknown', '%']) {
      const { status, body } = await call('GET', `/garment-tagging/query?uuid=${uuid}`, auth)
      expect([status, body.message]).toEqual([404, 'Garment not found'])
    }
  })
})

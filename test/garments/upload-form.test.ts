import { notProcessed } from '../../src/garments/failure.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments, storedFiles, unreferencedFiles } from '../../src/platform/db/schema.ts'
import { acceptFile } from '../../src/garments/accept-upload.ts'
import { endGarment } from '../../src/tagging/end-garment.ts'
import { removeUnreferencedFiles, uploadedFileKey } from '../../src/garments/pictures/uploaded-file.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { hourMs } from '../../src/time.ts'
import { fileForm } from '../../src/client/garment-methods.ts'
import { bindings, databaseOf, newTenant, raw, replaceDatabases } from '../service.ts'
import { replaceMethods, wrapDatabase } from '../support/wrap-database.ts'

const jpeg = (bytes: readonly number[] = []) => new Uint8Array([0xff, 0xd8, 0xff, ...bytes])

/** A tenant whose garments wait in the database. */
async function newClient() {
  const { tenantId, auth } = await newTenant()
  const db = databaseOf(tenantId)
  const env = { ...bindings, TAGGING_QUEUE: { send: async () => {} } } as unknown as Env
  return {
    tenantId,
    db,
    auth,
    async post(fields: Readonly<Record<string, string>>, content: Uint8Array<ArrayBuffer> = jpeg(), name = 'a.jpg') {
      const form = fileForm(fields, new Blob([content]), name)
      const headers = { ...auth, 'Content-Type': form.type }
      const response = await raw('POST', '/garment-tagging/upload', headers, await form.body.arrayBuffer())
      return { ...(await response.json<{ error: string[] }>()), status: response.status }
    },
    accept: async (uuid: string, content = jpeg(), nowMs = 1000, name = 'a.jpg') => {
      const file = { name, size: content.length, body: new Blob([content]).stream() }
      await acceptFile(env, tenantId, { uuid, attribute: {}, file, origin: 'https://s.example' }, nowMs)
    },
    /** Accepts a file, but runs the batch that stores the garment through `around`. */
    interrupt: async (uuid: string, around: (run: () => Promise<unknown>) => Promise<unknown>) => {
      let batches = 0
      const replaced = replaceDatabases((database) => {
        const run = async (statements: D1PreparedStatement[]) => await database.batch(statements)
        const batch = async (statements: D1PreparedStatement[]) =>
          ++batches === 2 ? await around(async () => await run(statements)) : await run(statements)
        return replaceMethods(database, { batch })
      })
      const file = { name: 'a.jpg', size: 3, body: new Blob([jpeg()]).stream() }
      const upload = { uuid, attribute: {}, file, origin: 'https://s.example' }
      await acceptFile({ ...env, ...replaced }, tenantId, upload, 1000)
    },
    garment: async () => (await db.select().from(garments).where(eq(garments.tenantId, tenantId)))[0],
    loose: async () => await db.select().from(unreferencedFiles).where(eq(unreferencedFiles.tenantId, tenantId)),
    files: async () => (await bindings.PICTURES.list({ prefix: `uploaded/${tenantId}/` })).objects.length,
  }
}

describe('POST /garment-tagging/upload with a file', () => {
  it('stores the file, which belongs to the garment', async () => {
    const client = await newClient()
    expect(await client.post({ uuid: 'ä/1', attribute: '{"Brand":"Ann"}' }, jpeg([1]), 'größe.jpg')).toMatchObject({
      status: 200,
      data: {},
    })
    const garment = await client.garment()
    expect(garment).toMatchObject({ uuid: 'ä/1', attribute: '{"Brand":"Ann"}', origin: 'http://service.test' })
    expect(decodeURIComponent(garment?.imageUrl ?? '')).toMatch(/^upload:.{36}\/.*\/größe\.jpg$/)
    expect([await client.files(), await client.loose()]).toEqual([1, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ garments: 1, files: 1, file_bytes: 4 })
  })

  it.each([
    [{}, jpeg(), ['uuid: is required']],
    [{ uuid: '', attribute: '[' }, jpeg(), ['uuid: must not be empty', /^attribute: must be a JSON object/]],
    [{ uuid: 'a', attribute: '{"Brand":3}' }, jpeg(), ['attribute.Brand: must be a string']],
    [{ uuid: 'a', attributes: '{}' }, jpeg(), ['attributes: is not a field; did you mean attribute?']],
    [{ uuid: 'a' }, new Uint8Array(), ['image: must not be empty']],
  ])('names every mistake of %j', async (fields, content, problems) => {
    const client = await newClient()
    const answer = await client.post(fields, content)
    expect([answer.status, answer.error]).toEqual([400, problems.map((problem) => expect.stringMatching(problem))])
    expect([await client.garment(), await client.files()]).toEqual([undefined, 0])
  })

  it('refuses a file that is no image, and an address in place of the file', async () => {
    const client = await newClient()
    const text = await client.post({ uuid: 'a' }, new Uint8Array([1, 2, 3, 4]))
    expect([text.status, text.error]).toEqual([415, ['image: must be a JPEG, PNG or WebP file']])
    const form = new FormData()
    form.append('uuid', 'a')
    form.append('image_url', 'https://a.example/')
    const address = await raw('POST', '/garment-tagging/upload', client.auth, form)
    expect([address.status, await address.json()]).toMatchObject([400, { code: 'malformed_body' }])
  })
})

it.each([
  { form: 'whose file comes first', parts: ['image', 'uuid'], says: 'uuid: is required, before the file' },
  { form: 'without a file', parts: ['uuid', 'image_url'], says: 'The form has no file' },
])('POST /garment-tagging/upload says how to mend a form $form', async ({ parts, says }) => {
  const { auth } = await newTenant()
  const file = 'name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg'
  const form = parts.map(
    (part) => `--b\r\nContent-Disposition: form-data; ${part === 'image' ? file : `name="${part}"`}\r\n\r\nx\r\n`,
  )
  const headers = { ...auth, 'Content-Type': 'multipart/form-data; boundary=b' }
  const answer = await raw('POST', '/garment-tagging/upload', headers, `${form.join('')}--b--\r\n`)
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: expect.arrayContaining([expect.stringContaining(says)]) },
  ])
})

it('POST /garment-tagging/upload says that a form lacks its last line end, and stores no garment', async () => {
  const client = await newClient()
  const form = fileForm({ uuid: 'a' }, new Blob([jpeg(Array<number>(5000).fill(1))]), 'a.jpg')
  const body = (await form.body.arrayBuffer()).slice(0, -2)
  const answer = await raw('POST', '/garment-tagging/upload', { ...client.auth, 'Content-Type': form.type }, body)
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: [expect.stringContaining('CRLF')] }])
  expect(await client.garment()).toBeUndefined()
})

it('POST /garment-tagging/upload refuses a form with two files, wherever it is cut, and stores no garment', async () => {
  const client = await newClient()
  const file = new Blob([jpeg(Array<number>(5000).fill(1))])
  const head = '\r\n--b\r\nContent-Disposition: form-data; name="image"; filename="b.jpg"\r\n\r\n'
  const uuid = '--b\r\nContent-Disposition: form-data; name="uuid"\r\n\r\na'
  const bytes = await new Blob([uuid, head, file, head, file, '\r\n--b--\r\n']).bytes()
  for (const at of [1000, uuid.length + head.length + file.size + 3]) {
    const { readable, writable } = new FixedLengthStream(bytes.length)
    const writer = writable.getWriter()
    void writer.write(bytes.subarray(0, at)).then(async () => {
      await writer.write(bytes.subarray(at))
      await writer.close()
    })
    const headers = { ...client.auth, 'Content-Type': 'multipart/form-data; boundary=b' }
    const answer = await raw('POST', '/garment-tagging/upload', headers, readable)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: [expect.stringContaining('/garment-tagging/pictures')] },
    ])
  }
  expect(await client.garment()).toBeUndefined()
})

it('POST /garment-tagging/upload says how to send a form that has no boundary', async () => {
  const { auth } = await newTenant()
  const headers = { ...auth, 'Content-Type': 'multipart/form-data' }
  const answer = await raw('POST', '/garment-tagging/upload', headers, '--x\r\n')
  expect([answer.status, await answer.json()]).toMatchObject([
    415,
    { error: ['Send multipart/form-data with a boundary, and the file as its last part.'] },
  ])
})

describe('an uploaded file', () => {
  it('that is the same again changes nothing and is not kept twice; another one is refused and not kept', async () => {
    const client = await newClient()
    await client.accept('a')
    const before = await client.garment()
    await client.accept('a')
    await expect(client.accept('a', jpeg([2]))).rejects.toMatchObject({
      code: 'uuid_conflict',
      problems: [expect.stringMatching(/^uuid/), expect.stringContaining('this uuid has the image "a.jpg"')],
    })
    expect(await client.garment()).toEqual(before)
    expect([await client.files(), await client.loose()]).toEqual([1, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 1, file_bytes: 3 })
    expect((await client.db.select().from(storedFiles).where(eq(storedFiles.tenantId, client.tenantId))).length).toBe(1)
  })

  it('stays with its garment if the database stored it and its answer was lost', async () => {
    const client = await newClient()
    const lost = async (run: () => Promise<unknown>) => {
      await run()
      throw new Error('Network connection lost')
    }
    await expect(client.interrupt('a', lost)).rejects.toThrow('Network connection lost')
    expect([await client.files(), await client.loose()]).toEqual([1, []])
    await client.accept('a')
    await removeUnreferencedFiles({ db: client.db, pictures: bindings.PICTURES }, 2 * hourMs)
    const key = uploadedFileKey(client.tenantId, (await client.garment())?.imageUrl ?? '')
    expect(await bindings.PICTURES.head(key ?? '')).not.toBeNull()
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 1, file_bytes: 3 })
  })

  it('is left to the sweep if the database failed before it stored the garment', async () => {
    const client = await newClient()
    const fail = async () => {
      throw new Error('Network connection lost')
    }
    await expect(client.interrupt('a', fail)).rejects.toThrow('Network connection lost')
    expect([await client.garment(), (await client.loose()).length]).toEqual([undefined, 1])
    await removeUnreferencedFiles({ db: client.db, pictures: bindings.PICTURES }, 2 * hourMs)
    expect([await client.files(), await client.loose()]).toEqual([0, []])
  })

  it('that is the same under another name changes nothing', async () => {
    const client = await newClient()
    await client.accept('a')
    const before = await client.garment()
    await client.accept('a', jpeg(), 2000, 'IMG_2.jpg')
    expect(await client.garment()).toEqual(before)
    expect(await client.files()).toBe(1)
  })

  it('stays with its garment even if the first upload broke off before it was noted', async () => {
    const client = await newClient()
    await client.accept('a')
    const id = ((await client.garment())?.imageUrl ?? '').slice('upload:'.length, 'upload:'.length + 36)
    await client.db.insert(unreferencedFiles).values({ tenantId: client.tenantId, pictureId: id, since: 1 })
    await client.accept('a')
    expect(await client.loose()).toEqual([])
  })

  it('of a garment that fails is left to the sweep at once, and the garment can be uploaded again', async () => {
    const client = await newClient()
    await client.accept('a')
    const garment = await client.garment()
    if (garment === undefined) throw new Error('The garment is gone')
    const queue = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue
    let trips = 0
    const once = async <T>(run: () => Promise<T>) => {
      if (++trips > 1) throw new Error('The isolate died')
      return await run()
    }
    const db = openDatabase(wrapDatabase(client.db.$client, once))
    const deps = { db, taggingQueue: queue, webhookQueue: queue }
    const ending = { status: 'failed', failureReason: notProcessed } as const
    await endGarment(deps, { ...garment, waitedMs: undefined }, ending, 5000)
    expect(await client.loose()).toMatchObject([{ since: 5000 }])
    await client.accept('a', jpeg([7]), 6000)
    expect((await client.garment())?.status).toBe('queuing')
    expect((await client.loose()).length).toBe(1)
    expect(await client.files()).toBe(2)
  })
})

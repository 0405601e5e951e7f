import { notProcessed } from '../../src/garments/failure.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments, storedFiles, unreferencedFiles } from '../../src/platform/db/schema.ts'
import { acceptFiles } from '../../src/garments/accept-upload.ts'
import { endGarment } from '../../src/tagging/end-garment.ts'
import { removeUnreferencedFiles, fileKey } from '../../src/garments/pictures/uploaded-file.ts'
import { garmentRow } from '../../src/garments/garment.ts'
import { parsePictures } from '../../src/garments/pictures/garment-picture.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { hourMs } from '../../src/time.ts'
import { fileForm } from '../../src/client/garment-methods.ts'
import { tenantDatabase } from '../../src/platform/db/databases.ts'
import { bindings, databaseOf, newTenant, raw, replaceDatabases } from '../service.ts'
import { formFile } from '../support/form-file.ts'
import { replaceMethods, wrapDatabase } from '../support/wrap-database.ts'

const jpeg = (bytes: readonly number[] = []) => new Uint8Array([0xff, 0xd8, 0xff, ...bytes])

/** A tenant whose garments wait in the database. */
async function newClient() {
  const { tenantId, auth } = await newTenant()
  const db = databaseOf(tenantId)
  const depsOf = (bound: Env) => ({ env: bound, db: tenantDatabase(bound, tenantId) })
  const env = { ...bindings, TAGGING_QUEUE: { send: async () => {} } } as unknown as Env
  const post = async (form: ReturnType<typeof fileForm>) => {
    const headers = { ...auth, 'Content-Type': form.type }
    const response = await raw('POST', '/garment-tagging/upload', headers, await form.body.arrayBuffer())
    return { ...(await response.json<{ error: string[]; code?: string }>()), status: response.status }
  }
  return {
    tenantId,
    db,
    auth,
    async post(fields: Readonly<Record<string, string>>, content: Uint8Array<ArrayBuffer> = jpeg(), name = 'a.jpg') {
      return await post(fileForm(fields, [{ image: new Blob([content]), name }]))
    },
    postFiles: async (fields: Readonly<Record<string, string>>, ...contents: readonly Uint8Array<ArrayBuffer>[]) =>
      await post(
        fileForm(
          fields,
          contents.map((content, i) => ({ image: new Blob([content]), name: `${i + 1}.jpg` })),
        ),
      ),
    /** As `postFiles`, with other bindings. */
    async acceptForm(changed: object, contents: readonly Uint8Array<ArrayBuffer>[]) {
      const file = await formFile(contents, 20_000)
      const upload = { uuid: 'a', attribute: {}, file, origin: 'https://s.example' }
      await acceptFiles(depsOf({ ...env, ...changed }), tenantId, upload, Date.now())
    },
    accept: async (uuid: string, content = jpeg(), nowMs = 1000, name = 'a.jpg') => {
      const file = { name, size: content.length, body: new Blob([content]).stream() }
      await acceptFiles(depsOf(env), tenantId, { uuid, attribute: {}, file, origin: 'https://s.example' }, nowMs)
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
      await acceptFiles(depsOf({ ...env, ...replaced }), tenantId, upload, 1000)
    },
    async images() {
      const [garment] = await db.select(garmentRow).from(garments).where(eq(garments.tenantId, tenantId))
      if (garment === undefined) throw new Error('No garment is stored')
      return parsePictures(garment)
    },
    garment: async () => (await db.select(garmentRow).from(garments).where(eq(garments.tenantId, tenantId)))[0],
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
    expect(await client.images()).toMatchObject([{ url: null, file: { name: 'größe.jpg' } }])
    expect([await client.files(), await client.loose()]).toEqual([1, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ garments: 1, files: 1, file_bytes: 4 })
  })

  it.each([
    [{}, jpeg(), ['uuid: is required']],
    [{ uuid: '', attribute: '[' }, jpeg(), ['uuid: must not be empty', /^attribute: must be a JSON object/]],
    [{ uuid: 'a', attribute: '{"Brand":3}' }, jpeg(), ['attribute.Brand: must be a string']],
    [{ uuid: 'a', attributes: '{}' }, jpeg(), ['attributes: is not a field; did you mean attribute?']],
    [{ uuid: 'a', attribute: '{"__proto__":"x"}' }, jpeg(), ['attribute: must not have a key __proto__']],
    [
      { uuid: 'a', 'attribute[Brand]': 'Ann' },
      jpeg(),
      ['attribute: must be one part with a JSON object, such as {"Brand": "Ann"}, not a part for each key'],
    ],
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
])('POST /garment-tagging/upload says what is wrong with a form $form', async ({ parts, says }) => {
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

it.each([
  ['no line end after the closing boundary', '\r\n--x--'],
  ['blanks and an epilogue', '\r\n--x-- \r\nThe end.'],
])('POST /garment-tagging/upload takes a form with %s, and stores its file without any of it', async (_, end) => {
  const { auth, tenantId, db } = await newClient()
  const start =
    '--x\r\nContent-Disposition: form-data; name="uuid"\r\n\r\na\r\n--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'
  const body = await new Blob([start, jpeg([1, 2, 3]), end]).arrayBuffer()
  const headers = { ...auth, 'Content-Type': 'multipart/form-data; boundary=x' }
  expect((await raw('POST', '/garment-tagging/upload', headers, body)).status).toBe(200)
  const files = await db.select().from(storedFiles).where(eq(storedFiles.tenantId, tenantId))
  expect(files).toMatchObject([{ bytes: 6 }])
  expect(await findStored(db, tenantId)).toMatchObject({ files: 1, file_bytes: 6 })
})

const filled = (value: number, length = 5000) => jpeg(Array<number>(length).fill(value))

describe('POST /garment-tagging/upload with several files', () => {
  it('stores each as a picture of the garment, in their order, and counts each', async () => {
    const client = await newClient()
    const contents = [filled(1), filled(2, 60_000), filled(3, 1)]
    const answer = await client.postFiles({ uuid: 'a', kinds: '["back", null, "label"]' }, ...contents)
    expect([answer.status, answer.error]).toEqual([200, []])
    const images = await client.images()
    expect(images.map(({ file, kind }) => [file?.name, kind])).toEqual([
      ['1.jpg', 'back'],
      ['2.jpg', null],
      ['3.jpg', 'label'],
    ])
    for (const [place, content] of contents.entries()) {
      const file = await bindings.PICTURES.get(fileKey(client.tenantId, images[place]?.file?.id ?? ''))
      expect(await file?.bytes()).toEqual(content)
    }
    const bytes = contents.reduce((sum, { length }) => sum + length, 0)
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ garments: 1, files: 3, file_bytes: bytes })
  })

  it('may be repeated, and is a conflict with other files', async () => {
    const client = await newClient()
    const contents = [filled(1), filled(2)]
    await client.acceptForm({}, contents)
    const before = await client.garment()
    await client.acceptForm({}, contents)
    for (const others of [[filled(1)], [filled(2), filled(1)], [filled(1), filled(3)]])
      await expect(client.acceptForm({}, others)).rejects.toMatchObject({ code: 'uuid_conflict' })
    expect(await client.garment()).toEqual(before)
    expect([await client.files(), await client.loose()]).toEqual([2, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 2 })
  })

  it.each([1, 7, 30, 5000, 5003, 5010, 5060, 5120])('may arrive in chunks of %i bytes', async (chunkBytes) => {
    const client = await newClient()
    const length = chunkBytes === 1 ? 100 : 5000
    const images = [1, 2].map((value) => ({ image: new Blob([filled(value, length)]) }))
    const form = fileForm({ uuid: 'a' }, images)
    const bytes = await form.body.bytes()
    const { readable, writable } = new FixedLengthStream(bytes.length)
    const writer = writable.getWriter()
    const write = async () => {
      for (let at = 0; at < bytes.length; at += chunkBytes) await writer.write(bytes.subarray(at, at + chunkBytes))
      await writer.close()
    }
    const [answer] = await Promise.all([
      raw('POST', '/garment-tagging/upload', { ...client.auth, 'Content-Type': form.type }, readable),
      write(),
    ])
    expect(answer.status).toBe(200)
    expect(await findStored(client.db, client.tenantId)).toMatchObject({
      files: 2,
      file_bytes: 2 * (length + 3),
    })
  })

  const text = new Uint8Array([1, 2, 3, 4])
  const heic = new Uint8Array([...'\0\0\0\x18ftypheic\0\0\0\0mif1heic'].map((letter) => letter.charCodeAt(0)))
  const fields = { uuid: 'a' }
  const eight = Array.from({ length: 8 }, (_, i) => filled(i))

  it.each<[string, number, object, Uint8Array<ArrayBuffer>[], string[]]>([
    ...[0, 1, 2].map((place): [string, number, object, Uint8Array<ArrayBuffer>[], string[]] => [
      `no image in place ${place + 1}`,
      415,
      fields,
      [filled(1), filled(2), filled(3)].with(place, text),
      [`image ${place + 1}: must be a JPEG, PNG or WebP file`],
    ]),
    ['a HEIC', 415, fields, [filled(1), heic], ['image 2: must be a JPEG, PNG or WebP file, not HEIC']],
    ['an empty one', 400, fields, [filled(1), new Uint8Array(), filled(3)], ['image 2: must not be empty']],
    ['one twice', 400, fields, [filled(1), filled(2), filled(1)], ['image: must not have the same picture twice']],
    ['nine', 400, fields, [...eight, filled(9)], ['image: a form takes at most 8 files']],
    [
      'too many kinds',
      400,
      { uuid: 'a', kinds: '["front","back"]' },
      [filled(1)],
      ['kinds: must be one for each image, null where it is not known: 2 for 1'],
    ],
    [
      'kinds that are no JSON',
      400,
      { uuid: 'a', kinds: 'front' },
      [filled(1)],
      ['kinds: must be a JSON array, such as ["front", "back"]'],
    ],
    [
      'an unknown kind',
      400,
      { uuid: 'a', kinds: '["side",3]' },
      [filled(1), filled(2)],
      [expect.stringMatching(/^kinds\.0: must be one of front, back/), expect.stringMatching(/^kinds\.1: /)],
    ],
    [
      'a file of more than 20 MiB',
      413,
      fields,
      [filled(1), filled(2, 20 * 1024 * 1024 - 2)],
      ['image 2: The file may have at most 20 MiB.'],
    ],
    [
      'one much larger',
      413,
      fields,
      [filled(1), filled(2, 21_100_000), filled(3)],
      ['image 2: The file may have at most 20 MiB.'],
    ],
  ])('refuses %s, and keeps nothing', async (_, status, given, contents, problems) => {
    const client = await newClient()
    const answer = await client.postFiles(given as Record<string, string>, ...contents)
    expect([answer.status, answer.error]).toEqual([status, problems])
    expect([await client.garment(), await client.files(), await client.loose()]).toEqual([undefined, 0, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 0, file_bytes: 0 })
  })

  it('takes eight', async () => {
    const client = await newClient()
    expect((await client.postFiles({ uuid: 'a' }, ...eight)).status).toBe(200)
    expect(await client.files()).toBe(8)
  })

  it('says at once that its files are too large together', async () => {
    const { auth } = await newTenant()
    const headers = { ...auth, 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '95200000' }
    const start = '--b\r\nContent-Disposition: form-data; name="uuid"\r\n\r\na\r\n'
    const answer = await raw('POST', '/garment-tagging/upload', headers, start)
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { error: [expect.stringMatching(/^The files of one call may have at most 95 MB together\. Add the others/)] },
    ])
  })

  it('refuses a field after a file, and a form that breaks off within its second file', async () => {
    const client = await newClient()
    const image = new Blob(['RIFF....WEBPVP8 '])
    const form = fileForm({ uuid: 'a' }, [{ image }, { image }])
    const whole = await form.body.text()
    const field = whole.replace(/(filename="image"[^]*name="image"); filename="image"/, '$1')
    for (const body of [field, whole.slice(0, -80)]) {
      const response = await raw('POST', '/garment-tagging/upload', { ...client.auth, 'Content-Type': form.type }, body)
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed_body' }])
    }
    expect([await client.garment(), await client.files(), await client.loose()]).toEqual([undefined, 0, []])
  })

  it('counts each against the quotas, and keeps none of a form that exceeds them', async () => {
    const client = await newClient()
    const env = { MAX_FILES: '3' }
    await expect(client.acceptForm(env, eight.slice(0, 4))).rejects.toMatchObject({
      status: 429,
      problems: [expect.stringMatching(/^image 4: .*3/)],
    })
    expect([await client.garment(), await client.files(), await client.loose()]).toEqual([undefined, 0, []])
    await client.acceptForm(env, eight.slice(0, 3))
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 3 })
  })

  it('leaves what is stored to the sweep if it is interrupted', async () => {
    const client = await newClient()
    for (const failing of [2, 3, 4, 5]) {
      let trips = 0
      const env = replaceDatabases((database) =>
        wrapDatabase(database, async (run) => {
          if (++trips >= failing) throw new Error('The isolate died')
          return await run()
        }),
      )
      await expect(client.acceptForm(env, [filled(1), filled(2)])).rejects.toThrow('The isolate died')
      expect((await client.loose()).length).toBeGreaterThanOrEqual(await client.files())
    }
    expect(await client.garment()).toBeUndefined()
    await removeUnreferencedFiles({ db: client.db, pictures: bindings.PICTURES }, Date.now() + 2 * hourMs)
    expect([await client.files(), await client.loose()]).toEqual([0, []])
    expect(await findStored(client.db, client.tenantId)).toMatchObject({ files: 0, file_bytes: 0 })
  })
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
    const [picture] = await client.images()
    const key = fileKey(client.tenantId, picture?.file?.id ?? '')
    expect(await bindings.PICTURES.head(key)).not.toBeNull()
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
    const id = (await client.images())[0]?.file?.id ?? ''
    await client.db.insert(unreferencedFiles).values({ tenantId: client.tenantId, fileId: id, since: 1 })
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
    const deps = { db, taggingQueue: queue, deliverySender: queue }
    const ending = { status: 'failed', failure: notProcessed, pictures: [] } as const
    await endGarment(deps, { ...garment, waitedMs: undefined }, ending, 5000)
    expect(await client.loose()).toMatchObject([{ since: 5000 }])
    await client.accept('a', jpeg([7]), 6000)
    expect((await client.garment())?.status).toBe('queuing')
    expect((await client.loose()).length).toBe(1)
    expect(await client.files()).toBe(2)
  })
})

// The Workers runtime, not Node.js, gives the body of a request.
import 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { readMultipart } from '../../../src/platform/http/multipart.ts'

const maxFileBytes = 200_000
const boundary = '----boundary'

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const fileStart = (name: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`

const end = `\r\n--${boundary}--\r\n`

const encode = (text: string) => new TextEncoder().encode(text)

/** A request whose body arrives in chunks of `chunkBytes`. */
function requestOf(body: Uint8Array, { chunkBytes = 1000, length = body.length as number | null } = {}) {
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= body.length) return controller.close()
      controller.enqueue(body.slice(at, (at += chunkBytes)))
    },
  })
  const headers = new Headers({ 'Content-Type': `multipart/form-data; boundary=${boundary}` })
  if (length !== null) headers.set('Content-Length', String(length))
  return new Request('http://s.test/', { method: 'POST', body: stream, headers })
}

const join = (...parts: readonly (string | Uint8Array)[]) =>
  new Uint8Array(parts.flatMap((part) => [...(typeof part === 'string' ? encode(part) : part)]))

const bytesOf = async (stream: ReadableStream) => new Uint8Array(await new Response(stream).arrayBuffer())

const random = (count: number) => Uint8Array.from({ length: count }, (_, i) => (i * 7919) % 251)

describe('a form with a file', () => {
  it.each([1, 7, 64, 1000, 1_000_000])('is read when it arrives in chunks of %i bytes', async (chunkBytes) => {
    // Bytes that look like the beginning of the end.
    const content = join(random(3000), end.slice(0, -3), random(50), '\r\n--')
    const body = join(field('import', 'ä'), field('uuid', ''), fileStart('Größe %22L%22.jpg'), content, end)
    const { fields, file } = await readMultipart(requestOf(body, { chunkBytes }), { maxFileBytes })
    expect(fields).toEqual({ import: 'ä', uuid: '' })
    expect([file.name, file.size]).toEqual(['Größe "L".jpg', content.length])
    expect(await bytesOf(file.body)).toEqual(content)
  })

  it('may name its parts without quotes, as .NET does', async () => {
    const header = (parameters: string) => `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n`
    const file = "name=image; filename=a.jpg; filename*=utf-8''b.jpg"
    const body = join(header('name=uuid'), 'g\r\n', header(file), random(10), end)
    const form = await readMultipart(requestOf(body), { maxFileBytes })
    expect([form.fields, form.file.name, form.file.size]).toEqual([{ uuid: 'g' }, 'a.jpg', 10])
  })

  it('may have a file whose name looks like a parameter', async () => {
    const body = join(field('uuid', 'g'), fileStart('a; filename=b; name=c.jpg'), end)
    expect((await readMultipart(requestOf(body), { maxFileBytes })).file.name).toBe('a; filename=b; name=c.jpg')
  })

  it('may have a file name as headers of HTTP have it, as older clients write what is not ASCII', async () => {
    const start = fileStart('x').replace('filename="x"', "filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg")
    const { file } = await readMultipart(requestOf(join(start, random(10), end)), { maxFileBytes })
    expect([file.name, file.size]).toEqual(['Gr%C3%B6%C3%9Fe.jpg', 10])
  })

  it('remembers no more parts than it takes to refuse them', async () => {
    const parts = `\r\n--${boundary}\r\n`.repeat(3000)
    const request = requestOf(join(fileStart('a'), parts, end), { chunkBytes: 100_000 })
    const { file } = await readMultipart(request, { maxFileBytes, maxFiles: 3 })
    await expect(bytesOf(file.body)).rejects.toThrow('Too many files')
    expect(file.parts?.()).toHaveLength(4)
  })

  it('that arrives byte by byte is parsed a few times, not once for each byte', async () => {
    const fields = Array.from({ length: 50 }, (_, i) => field(`f${i}`, 'x'))
    const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
    const form = await readMultipart(requestOf(join(...fields, fileStart('a'), end), { chunkBytes: 1 }), {
      maxFileBytes,
    })
    const count = decoded.mock.calls.length
    decoded.mockRestore()
    expect(Object.keys(form.fields)).toHaveLength(50)
    // The name and the value of each field, at each doubling.
    expect(count).toBeLessThan(50 * 2 * 15)
  })

  it('may have an empty file, as browsers send it where none was chosen', async () => {
    const { file } = await readMultipart(requestOf(join(fileStart(''), end)), { maxFileBytes })
    expect([file.name, file.size, (await bytesOf(file.body)).length]).toEqual(['', 0, 0])
  })

  it('is refused where its length is missing, or too great before anything is read', async () => {
    const body = join(fileStart('a.jpg'), random(10), end)
    const status = async (request: Request, max = maxFileBytes) =>
      await readMultipart(request, { maxFileBytes: max }).then(
        () => 200,
        (error: unknown) => (error as { status: number }).status,
      )
    expect(await status(requestOf(body, { length: null }))).toBe(411)
    expect(await status(requestOf(body, { length: 10_000_000 }))).toBe(413)
    expect(await status(requestOf(body), 9)).toBe(413)
    expect(await status(requestOf(body), 10)).toBe(200)
    const json = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
    expect(await status(new Request('http://s.test/', json))).toBe(415)
  })

  it.each([
    ['no file', join(field('a', 'b'), `--${boundary}--\r\n`)],
    ['another boundary', join('--other\r\n\r\n')],
    ['fields that are too large', join(field('a', 'x'.repeat(70_000)), fileStart('a'), end)],
    ['an end within the fields', join(field('a', 'b')).slice(0, 50)],
  ])('is refused with %s', async (_, body) => {
    await expect(readMultipart(requestOf(body), { maxFileBytes })).rejects.toMatchObject({ status: 400 })
  })

  it('is told that every part needs a name', async () => {
    const body = join(`--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`, fileStart('a'), end)
    await expect(readMultipart(requestOf(body), { maxFileBytes })).rejects.toMatchObject({
      status: 400,
      problems: [expect.stringMatching(/^Every part of the form needs a name/)],
    })
  })

  it('fails while its file is read if it breaks off', async () => {
    const whole = join(fileStart('a'), random(100), end)
    const { file } = await readMultipart(requestOf(whole.slice(0, -5), { length: whole.length }), { maxFileBytes })
    await expect(bytesOf(file.body)).rejects.toMatchObject({ status: 400 })
  })

  it('fails while its file is read if that does not arrive in time, however short it is', async () => {
    const start = join(fileStart('a'), random(100))
    const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(start) })
    const headers = requestOf(join(start, end)).headers
    const request = new Request('http://s.test/', { method: 'POST', body: stalled, headers })
    const { file } = await readMultipart(request, { maxFileBytes, arrivalMs: 20 })
    await expect(bytesOf(file.body)).rejects.toMatchObject({
      problems: [expect.stringContaining('did not arrive')],
    })
  })

  const delimiter = `--${boundary}`
  const unusual = [
    ['no line end after the closing boundary', '', `\r\n${delimiter}--`],
    ['a preamble', 'This is a form.\r\nIgnore this.\r\n', end],
    ['blanks after the closing boundary', '', `\r\n${delimiter}-- \t \r\n`],
    ['an epilogue', '', `${end}Ignore this, too.\r\n${delimiter}\r\n`],
  ] as const

  /** The bytes of each file, as storage copies them from the whole body. */
  async function filesOf(body: Uint8Array, { chunkBytes, maxFiles }: { chunkBytes: number; maxFiles: number }) {
    const { fields, file } = await readMultipart(requestOf(body, { chunkBytes }), { maxFileBytes, maxFiles })
    const whole = await bytesOf(file.body)
    const files: Uint8Array[] = []
    for (const { offset, length, open } of file.parts?.() ?? []) {
      const { body: opened, size } = await open(new Blob([whole.slice(offset, offset + length)]).stream())
      files.push(await bytesOf(opened))
      expect(files.at(-1)?.length).toBe(size)
    }
    return { fields, files, isWhole: file.parts?.()[0]?.length === file.size }
  }

  it.each([1, 7, 1000].flatMap((chunkBytes) => unusual.map((each) => [...each, chunkBytes] as const)))(
    'may have %s, as RFC 2046 allows',
    async (_, preamble, unusualEnd, chunkBytes) => {
      const content = join(random(3000), end.slice(0, -6), `\r\n${delimiter}x`, '\r\n--')
      const form = join(preamble, field('uuid', 'g'), fileStart('a.jpg'), content, unusualEnd)
      expect(await filesOf(form, { chunkBytes, maxFiles: 1 })).toMatchObject({
        fields: { uuid: 'g' },
        files: [content],
      })
      const two = join(
        preamble,
        field('uuid', 'g'),
        fileStart('a'),
        content,
        '\r\n',
        fileStart('b'),
        content,
        unusualEnd,
      )
      expect((await filesOf(two, { chunkBytes, maxFiles: 2 })).files).toEqual([content, content])
    },
  )

  it('may have blanks after each boundary', async () => {
    const start = join(field('uuid', 'g'), fileStart('a.jpg'))
    const padded = join(new TextDecoder().decode(start).replaceAll(`${delimiter}\r\n`, `${delimiter} \t\r\n`), 'x', end)
    const form = await filesOf(padded, { chunkBytes: 7, maxFiles: 1 })
    expect(form).toMatchObject({ fields: { uuid: 'g' }, files: [encode('x')], isWhole: true })
  })

  it('whose file is not last is refused, with what to do', async () => {
    for (const rest of [field('b', 'c'), fileStart('b')]) {
      const body = join(fileStart('a'), random(100), `\r\n${rest}`, end)
      const form = await readMultipart(requestOf(body), { maxFileBytes })
      await expect(bytesOf(form.file.body)).rejects.toThrow('File not last')
    }
  })
})

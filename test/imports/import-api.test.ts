import { describe, expect, it } from 'vitest'
import { continueImports } from '../../src/imports/importer.ts'
import { bindings, call, newTenant, raw } from '../service.ts'

const path = '/garment-tagging/import'

async function newClient() {
  const { auth, tenantId } = await newTenant()
  return {
    auth,
    tenantId,
    async post(body: string, type = 'text/csv', query = '') {
      const response = await raw('POST', `${path}${query}`, { ...auth, 'Content-Type': type }, body)
      return await response.json<{ data: { id: string; accepted: number; refused: number }; error: string[] }>()
    },
    get: async (query: string) => (await call('GET', `${path}?${query}`, auth)).body,
  }
}

const image = 'http://127.0.0.1:9/a.jpg'

describe('POST /garment-tagging/import', () => {
  it.each(['text/csv', 'application/octet-stream'])('takes CSV as %s, and reports each line', async (type) => {
    const client = await newClient()
    const { data } = await client.post(`uuid,image_url,brand\na,${image},Ann\nb,ftp://x,Bob\nc\n`, type, '?name=s.csv')
    expect(data).toEqual({ id: expect.any(String), accepted: 1, refused: 2, ignored: [] })
    const report = await client.get(`id=${data.id}`)
    expect(report.data).toMatchObject({
      id: data.id,
      name: 's.csv',
      paused: false,
      totals: { lines: 3, refused: 2 },
      next_cursor: null,
    })
    expect(report.data.lines).toMatchObject([
      { line: 2, uuid: 'a', image_url: image, attribute: { Brand: 'Ann' }, problem: '' },
      {
        line: 3,
        uuid: 'b',
        image_url: 'ftp://x',
        attribute: { Brand: 'Bob' },
        status: 'refused',
        problem: 'image_url: must be an http or https URL',
      },
      { line: 4, uuid: 'c', status: 'refused', problem: 'There are 1 cells, but 3 columns.' },
    ])
    const refused = await client.get(`id=${data.id}&status=refused&limit=1`)
    expect([refused.data.lines.length, refused.data.next_cursor]).toEqual([1, '3'])
    const last = await client.get(`id=${data.id}&status=refused&limit=1&cursor=3`)
    expect([last.data.lines[0]?.line, last.data.next_cursor]).toEqual([4, null])
  })

  it('maps any column to any field with `columns`', async () => {
    const client = await newClient()
    const mapped = { 'Primary Color': 'tag.Colour', Nummer: 'uuid', Foto: 'image_url', Notes: '' }
    const query = `?columns=${encodeURIComponent(JSON.stringify(mapped))}`
    const { data } = await client.post(`Nummer,Foto,Primary Color,Notes,Price\na,${image},Red,x,5\n`, 'text/csv', query)
    expect(data).toMatchObject({ accepted: 1, ignored: ['Notes'] })
    const report = await client.get(`id=${data.id}`)
    expect(report.data.lines).toMatchObject([{ uuid: 'a', attribute: { Colour: 'Red', Price: '5.00' } }])
    for (const wrong of ['x', '[]', '{"a":1}']) {
      const refused = await client.post(`uuid\na\n`, 'text/csv', `?columns=${encodeURIComponent(wrong)}`)
      expect(refused.error).toEqual([expect.stringMatching(/^columns/)])
    }
  })

  it('takes JSON lines, whose mistakes are named as those of an upload', async () => {
    const client = await newClient()
    const lines = [
      { uuid: 'a', image_url: image, attribute: { Brand: 'Ann' } },
      { uuid: 'b', image_url: image, attributes: { Brand: 'Ann' } },
      { uuid: '', image_url: 3 },
      { uuid: 'a', image_url: image },
      { uuid: 'e', image_url: 'ftp://x', attribute: { Brand: 'Eve' } },
    ].map((line) => JSON.stringify(line))
    const file = `${lines.join('\r\n')}\n\nnot JSON\n[]\n`
    const { data } = await client.post(file, 'application/x-ndjson; charset=utf-8')
    expect(data).toMatchObject({ accepted: 1, refused: 6 })
    const report = await client.get(`id=${data.id}`)
    const problems = report.data.lines.map(({ line, problem }: { line: number; problem: string }) => [line, problem])
    expect(problems).toEqual([
      [1, ''],
      [2, 'attributes: is not a field; did you mean attribute?'],
      [3, 'uuid: must not be empty; image_url: must be a string'],
      [4, 'uuid: is already used on line 1'],
      [5, 'image_url: must be an http or https URL'],
      [7, 'The line is not a JSON object.'],
      [8, 'The line is not a JSON object.'],
    ])
    expect(report.data.lines[4]).toMatchObject({ uuid: 'e', image_url: 'ftp://x', attribute: { Brand: 'Eve' } })
  })

  it('counts once against the rate limit', async () => {
    const client = await newClient()
    const rows = Array.from({ length: 50 }, (_, i) => `g${i},${image}`).join('\n')
    const response = await raw(
      'POST',
      path,
      { ...client.auth, 'Content-Type': 'text/csv' },
      `uuid,image_url\n${rows}\n`,
    )
    expect([response.status, response.headers.get('ratelimit-remaining')]).toEqual([200, '5'])
  })

  it('of the same file again changes nothing', async () => {
    const client = await newClient()
    const file = JSON.stringify({ uuid: 'a', image_url: image })
    const [first, second] = [
      await client.post(file, 'application/x-ndjson'),
      await client.post(file, 'application/x-ndjson'),
    ]
    for (let i = 0; i < 3; i++) await continueImports(bindings, client.tenantId, Date.now())
    expect((await client.get(`id=${second.data.id}`)).data).toMatchObject({ done: true, totals: { unchanged: 1 } })
    expect((await client.get(`id=${first.data.id}`)).data.totals.unchanged).toBe(0)
  })

  it.each([
    ['', 'text/csv', 'line 1: The file is empty.'],
    ['a\na\n', 'text/csv', 'line 1: There is no column uuid.'],
    ['\n\n', 'application/x-ndjson', 'The file has no line with a garment.'],
    ['{}\n'.repeat(10_001), 'application/jsonl', 'line 10001: There are more than 10,000 lines; split the file.'],
    ['\n'.repeat(20_000), 'application/x-ndjson', 'line 10001: There are more than 10,000 lines; split the file.'],
    ['PK\u0003\u0004', 'text/csv', /^body: this is a spreadsheet/],
    ['%PDF-1.7', 'text/csv', /^body: this is a picture or a PDF/],
  ])('refuses a file that cannot be used as a whole', async (body, type, problem) => {
    const client = await newClient()
    expect((await client.post(body, type)).error).toEqual([expect.stringMatching(problem)])
  })

  it('reads a line of JSON no further than it may be long', async () => {
    const client = await newClient()
    const { data } = await client.post(
      `{"uuid":"${'x'.repeat(50_000)}"}\n{"uuid":"${'y'.repeat(200)}"}`,
      'application/x-ndjson',
    )
    const { lines } = (await client.get(`id=${data.id}`)).data
    expect(lines.map(({ problem }: { problem: string }) => problem)).toEqual([
      'The line has more than 40000 characters.',
      'uuid: must be at most 128 characters; image_url: is required',
    ])
    expect(lines[1].uuid.length).toBe(128)
  })
})

describe('PUT /garment-tagging/import', () => {
  it('pauses an import and resumes it', async () => {
    const client = await newClient()
    const { data } = await client.post(`uuid,image_url\na,${image}\n`)
    const paused = await call('PUT', path, client.auth, { id: data.id, paused: true })
    expect(paused.body.data).toEqual({ id: data.id, paused: true })
    expect((await client.get(`id=${data.id}`)).data.paused).toBe(true)
    await call('PUT', path, client.auth, { id: data.id, paused: false })
    expect((await client.get(`id=${data.id}`)).data.paused).toBe(false)
  })

  it("does not find another tenant's", async () => {
    const [client, other] = [await newClient(), await newClient()]
    const { data } = await client.post(`uuid,image_url\na,${image}\n`)
    expect((await other.get(`id=${data.id}`)).code).toBe('import_not_found')
    const answer = await call('PUT', path, other.auth, { id: data.id, paused: true })
    expect(answer.body.code).toBe('import_not_found')
  })
})

describe('GET /garment-tagging/import without an id', () => {
  it('lists imports page by page, newest first, and those of no other tenant', async () => {
    const client = await newClient()
    const names = ['one', 'two', 'three']
    for (const name of names) await client.post(`uuid,image_url\n${name},${image}\n`, 'text/csv', `?name=${name}`)
    const first = (await client.get('limit=2')).data
    expect(first.imports).toMatchObject([
      { name: 'three', paused: false, totals: { lines: 1, refused: 0 } },
      { name: 'two' },
    ])
    expect(first.imports[0]).not.toHaveProperty('lines')
    const second = (await client.get(`limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).data
    expect(second).toMatchObject({ imports: [{ name: 'one' }], next_cursor: null })
    expect((await (await newClient()).get('')).data).toEqual({ imports: [], next_cursor: null })
  })

  it('refuses a cursor of another list', async () => {
    const client = await newClient()
    const { data } = await client.post(`uuid,image_url\na,${image}\n`)
    expect((await client.get(`id=${data.id}&cursor=x`)).error).toEqual([
      'cursor: must be the next_cursor of the previous page',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { imports } from '../../src/platform/db/schema.ts'
import { databaseOf, fillThrottle, newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const origin = 'http://service.test'
const boundary = 'boundary'

async function newVisitor() {
  const { merchant } = await newTenant()
  return { ...(await sessionOf(merchant.id)), Origin: origin }
}

/** Builds the form with one image. */
function imageForm(fields: Readonly<Record<string, string>>, content: string) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n${content}\r\n`
  return `${parts.join('')}${file}--${boundary}--\r\n`
}

const multipart = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }

async function postImage(visitor: Record<string, string>, body: string, more: Record<string, string> = {}) {
  const headers = { ...visitor, ...multipart, Accept: 'application/json', ...more }
  const response = await raw('POST', '/dashboard/imports/file', headers, body)
  return { status: response.status, text: await response.text() }
}

async function postCsv(visitor: Record<string, string>, text: string) {
  const form = new FormData()
  form.append('csv', text)
  return await raw('POST', '/dashboard/imports', visitor, form)
}

describe('the requests of the imports page', () => {
  const id = '0b0b0b0b-0000-4000-8000-000000000000'
  const jpeg = '\u007f'

  it('are refused with a clear sentence', async () => {
    const visitor = await newVisitor()
    const problem = async (body: string) => await postImage(visitor, body)
    expect(await problem(imageForm({ import: id }, 'text'))).toEqual({
      status: 415,
      text: '{"problems":["image: must be a JPEG, PNG or WebP file"]}',
    })
    expect(await problem(imageForm({ import: id }, ''))).toMatchObject({ status: 400 })
    expect(await problem(imageForm({ import: 'mine' }, jpeg))).toMatchObject({ status: 400 })
    expect(await problem(imageForm({ import: id, total: '10001' }, jpeg))).toMatchObject({ status: 400 })
    expect(await problem(imageForm({ import: id, uuid: 'x'.repeat(129) }, jpeg))).toMatchObject({ status: 400 })
    expect(await problem(imageForm({ import: id }, 'x'.repeat(21 * 1024 * 1024)))).toEqual({
      status: 413,
      text: '{"problems":["The file may have at most 20 MiB."]}',
    })
    const tooLong = await postCsv(visitor, 'x'.repeat(9 * 1024 * 1024))
    expect([tooLong.status, await tooLong.text()]).toEqual([413, expect.stringContaining('at most 8 MiB')])
  })

  it('show the uuid and the attributes again when an image is refused', async () => {
    const fields = { import: id, uuid: 'dress 1', file_names: 'on', 'attribute.Brand': 'Acme' }
    const { status, text } = await postImage(await newVisitor(), imageForm(fields, 'text'), { Accept: 'text/html' })
    expect(status).toBe(415)
    expect(text).toMatch(/name="uuid"[^>]* value="dress 1"/)
    expect(text).toMatch(/name="attribute.Brand"[^>]* value="Acme"/)
    expect(text).toMatch(/name="file_names" checked/)
  })

  it('say what to do with a spreadsheet instead of a CSV file', async () => {
    const form = new FormData()
    form.append('file', new File([new Uint8Array([0x50, 0x4b, 3, 4, 20, 0])], 'stock.xlsx'))
    const response = await raw('POST', '/dashboard/imports', await newVisitor(), form)
    const text = await response.text()
    expect(response.status).toBe(400)
    expect(text).toContain('This is a spreadsheet (such as .xlsx), not a CSV file; in Excel choose File, Save As')
    expect(text).toContain('id="field-file-problem"')
  })

  it('are refused from a foreign page and without a session', async () => {
    const visitor = await newVisitor()
    const foreign = { ...visitor, Origin: 'https://evil.example' }
    expect((await postImage(foreign, imageForm({ import: id }, 'text'))).status).toBe(403)
    expect((await postCsv(foreign, 'uuid,image_url\n')).status).toBe(403)
    expect((await postImage({ Origin: origin }, imageForm({ import: id }, 'text'))).status).toBe(303)
  })

  it('are refused above the limit before their form is read', async () => {
    const { merchant } = await newTenant()
    const visitor = { ...(await sessionOf(merchant.id)), Origin: origin }
    await fillThrottle(`imported-csv-files:${merchant.id}`, 20)
    const response = await raw('POST', '/dashboard/imports', { ...visitor, ...multipart }, 'no form at all')
    expect([response.status, await response.text()]).toEqual([429, expect.stringContaining('Too many attempts')])
  })

  it("reach the tenant's own imports only", async () => {
    const [visitor, other] = [await newVisitor(), await newVisitor()]
    const stored = await postCsv(visitor, 'uuid,image_url\na,nowhere\n')
    const path = stored.headers.get('location') ?? ''
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const statuses = async (who: Record<string, string>) => [
      (await raw('GET', path, who)).status,
      (await raw('GET', `${path}/report.csv`, who)).status,
      (await raw('GET', `${path}/lines`, who)).status,
      (await raw('POST', `${path}/pause`, { ...who, ...form }, '')).status,
    ]
    expect(await statuses(visitor)).toEqual([200, 200, 200, 303])
    expect(await statuses(other)).toEqual([404, 404, 404, 404])
  })
})

it('the page of an import asks what rows are that match no garment, all together or each', async () => {
  const visitor = await newVisitor()
  const stored = await postCsv(
    visitor,
    'SKU,Name,Images\n1,Shirt,https://a.example/1.jpg\n2,Coat,https://a.example/2.jpg\n',
  )
  const path = stored.headers.get('location') ?? ''
  const show = async () => await (await raw('GET', path, visitor)).text()
  const answer = async (fields: Record<string, string>) =>
    await raw('POST', `${path}/answer`, visitor, new URLSearchParams(fields))
  expect(await show()).toContain('2 rows belong to no garment for certain. What are they?')
  expect(await (await answer({ answer: 'choose', line: '2', garment: 'G-5' })).text()).toContain(
    'no garment has this uuid or number',
  )
  expect((await answer({ answer: 'skip', line: '2' })).status).toBe(303)
  expect(await show()).toContain('1 row belongs to no garment for certain.')
  await answer({ answer: 'add' })
  const page = await show()
  expect(page).not.toContain('for certain')
  expect(page).toContain('This line was left out.')
  expect((await answer({ answer: 'perhaps' })).status).toBe(400)
})

describe('the state of an import on its page', () => {
  const stateOf = async (changes: Partial<typeof imports.$inferInsert>) => {
    const { merchant, tenantId } = await newTenant()
    const id = crypto.randomUUID()
    const row = { tenantId, id, name: 'stock', origin: '', createdAt: 1, storedAt: 1, ...changes }
    await databaseOf(tenantId).insert(imports).values(row)
    const session = await sessionOf(merchant.id)
    const page = await (await raw('GET', `/dashboard/import/${id}`, session)).text()
    const list = await (await raw('GET', '/dashboard/imports', session)).text()
    const badge = /<span class="badge \w+">([^<]*)<\/span>/
    expect(badge.exec(list)?.[1]).toBe(badge.exec(page)?.[1])
    return [badge.exec(page)?.[1], /(\d+) of (\d+)\s*</.exec(list)?.[0].replace(/\s*</, '')]
  }

  it('says that it is paused, and what is being tagged still', async () => {
    expect(await stateOf({ waiting: 3, tagging: 2 })).toEqual(['Under way', '0 of 5'])
    expect(await stateOf({ waiting: 3, tagging: 2, paused: true })).toEqual(['Paused, 2 still being tagged', '0 of 5'])
    expect(await stateOf({ waiting: 5, paused: true })).toEqual(['Paused', '0 of 5'])
  })

  it('counts the files that were to come, until they have', async () => {
    expect(await stateOf({ complete: 5, endedAt: 2, expectedFiles: 6 })).toEqual([
      '1 garment has not arrived',
      '5 of 6',
    ])
    expect(await stateOf({ complete: 1, endedAt: 2, expectedFiles: 6 })).toEqual([
      '5 garments have not arrived',
      '1 of 6',
    ])
    expect(await stateOf({ complete: 6, endedAt: 2, expectedFiles: 6 })).toEqual(['Done', '6 of 6'])
    expect(await stateOf({ complete: 6, endedAt: 2 })).toEqual(['Done', '6 of 6'])
  })
})

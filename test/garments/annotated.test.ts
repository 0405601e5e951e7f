import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { bindings, raw } from '../service.ts'
import { expectPublicPicture } from './public-picture.ts'
import { insertTenant } from '../support/insert-tenant.ts'

const db = openDatabase(bindings.DB)
const tenantId = crypto.randomUUID()
const path = `/garment-tagging/annotated/${tenantId}/p`

beforeAll(async () => {
  await insertTenant(db, tenantId)
  for (const tenant of [tenantId, 'deleted'])
    await bindings.PICTURES.put(`annotated/${tenant}/p`, new Uint8Array([1, 2, 3]), {
      httpMetadata: { contentType: 'image/jpeg' },
    })
})

describe('an annotated picture', () => {
  it('is public, cached for long, and can run nothing', async () => {
    expect(await expectPublicPicture(path)).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('has a line in the log only if it is not found', async () => {
    const lines: string[] = []
    // Garments of other tests are tagged meanwhile.
    const isOfRequest = (line: string) => line.includes('"event":"request"')
    const keep = (line: string) => void (isOfRequest(line) && lines.push(line))
    const spy = vi.spyOn(console, 'info').mockImplementation(keep)
    await (await raw('GET', path)).arrayBuffer()
    expect(lines).toEqual([])
    await raw('GET', `${path}-missing`)
    spy.mockRestore()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ event: 'request', status: 404 }])
  })

  it.each([{ 'If-Match': '"' }, { 'If-None-Match': '"a", *' }, { 'If-Modified-Since': 'x' }, { Range: 'bytes=9-1' }])(
    'is answered in full to the precondition %j',
    async (headers) => {
      const response = await raw('GET', path, headers)
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 3])
    },
  )

  it.each(['none', '..%2Fp', '%00', 'x'.repeat(3000), '%F0%9F%91%97'])('is not found by the name %j', async (name) => {
    const response = await raw('GET', `/garment-tagging/annotated/${tenantId}/${name}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: false, data: {} })
  })

  it('is kept where it was viewed: the next view there asks neither the database nor storage', async () => {
    const stored = `annotated/${tenantId}/kept`
    await bindings.PICTURES.put(stored, new Uint8Array([4, 5]), { httpMetadata: { contentType: 'image/jpeg' } })
    const address = `/garment-tagging/${stored}`
    const first = await raw('GET', address)
    await first.arrayBuffer()
    await bindings.PICTURES.delete(stored)
    await expect.poll(async () => (await raw('GET', `${address}?again`)).status).toBe(200)
    const second = await raw('GET', `${address}?again`)
    expect(new Uint8Array(await second.arrayBuffer())).toEqual(new Uint8Array([4, 5]))
    for (const header of ['cache-control', 'content-type', 'content-security-policy', 'etag'])
      expect(second.headers.get(header)).toBe(first.headers.get(header))
    const unchanged = await raw('GET', address, { 'If-None-Match': first.headers.get('etag') ?? '' })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  })

  it('of a deleted tenant is not found from then on, though it is removed later', async () => {
    expect((await raw('GET', '/garment-tagging/annotated/deleted/p')).status).toBe(404)
  })
})

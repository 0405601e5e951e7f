import {
  annotatedCopyName,
  copyKey,
  copyPath,
  cutoutPath,
  picturePath,
  thumbnailPath,
} from '../../src/garments/pictures/stored-copy.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { bindings, raw } from '../service.ts'
import { expectPublicPicture } from './public-picture.ts'
import { insertTenant } from '../support/insert-tenant.ts'
import { storedCopy } from '../support/picture-copy.ts'

const db = openDatabase(bindings.DB)
const tenantId = crypto.randomUUID()
const path = picturePath(tenantId, annotatedCopyName('p'))

beforeAll(async () => {
  await insertTenant(db, tenantId)
  for (const tenant of [tenantId, 'deleted'])
    await bindings.PICTURES.put(copyKey(tenant, 'p'), storedCopy(), { httpMetadata: { contentType: 'image/jpeg' } })
})

describe('an annotated picture', () => {
  it('is public, cached for long, and can run nothing', async () => {
    const { picture } = await decodePicture(await expectPublicPicture(path), 1280)
    const blueness = (y: number) => {
      const [red = 0, , blue = 0] = picture.data.subarray((y * picture.width + 22) * 4)
      return blue - red
    }
    // On the line, which is cyan, and below it.
    expect([picture.width, blueness(30) > 80, blueness(60) < 20]).toEqual([100, true, true])
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
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect([response.status, bytes]).toEqual([200, await expectPublicPicture(path)])
    },
  )

  it.each(['none', '..%2Fp', '%00', 'x'.repeat(3000), '%F0%9F%91%97'])('is not found by the name %j', async (name) => {
    const response = await raw('GET', `/garment-tagging/annotated/${tenantId}/${name}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: false, data: {} })
  })

  it('is kept where it was viewed: the next view there asks neither the database nor storage', async () => {
    const stored = copyKey(tenantId, 'kept')
    await bindings.PICTURES.put(stored, storedCopy(), { httpMetadata: { contentType: 'image/jpeg' } })
    const address = picturePath(tenantId, annotatedCopyName('kept'))
    const first = await raw('GET', address)
    const bytes = await first.arrayBuffer()
    await bindings.PICTURES.delete(stored)
    await expect.poll(async () => (await raw('GET', `${address}?again`)).status).toBe(200)
    const second = await raw('GET', `${address}?again`)
    expect(await second.arrayBuffer()).toEqual(bytes)
    for (const header of ['cache-control', 'content-type', 'content-security-policy', 'etag'])
      expect(second.headers.get(header)).toBe(first.headers.get(header))
    const unchanged = await raw('GET', address, { 'If-None-Match': first.headers.get('etag') ?? '' })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  })

  it('of a deleted tenant is not found from then on, though it is removed later', async () => {
    expect((await raw('GET', picturePath('deleted', annotatedCopyName('p')))).status).toBe(404)
  })

  it('is stored nowhere but in caches, and has the ETag of its copy', async () => {
    const [key, address] = [copyKey(tenantId, 'drawn'), picturePath(tenantId, annotatedCopyName('drawn'))]
    const { httpEtag } = await bindings.PICTURES.put(key, storedCopy(), { httpMetadata: { contentType: 'image/jpeg' } })
    const response = await raw('GET', address)
    expect([response.status, response.headers.get('etag')]).toEqual([200, httpEtag])
    await response.arrayBuffer()
    const { objects } = await bindings.PICTURES.list({ prefix: key })
    expect(objects.map((object) => object.key)).toEqual([key])
  })

  it('is not found without a copy, or of what is none', async () => {
    await bindings.PICTURES.put(copyKey(tenantId, 'broken'), new Uint8Array([1, 2, 3]))
    const name = annotatedCopyName('p')
    for (const each of [annotatedCopyName('broken'), `${name}.12345678`, `${name}.`, `${name}.x.y`])
      expect((await raw('GET', picturePath(tenantId, each))).status, each).toBe(404)
  })
})

it("no public address of a picture works for another kind, so that a cut-out's shows no more than the garment", async () => {
  const kinds = ['copy', 'annotated', 'cutout', 'original'] as const
  const addresses = [
    copyPath(tenantId, 'p'),
    path,
    cutoutPath(tenantId, 'p'),
    thumbnailPath(tenantId, { copyId: 'p', cutoutOff: false }),
  ]
  for (const address of addresses)
    for (const kind of kinds.filter((each) => !address.includes(`/${each}/`))) {
      const changed = address.replace(/\/(copy|annotated|cutout)\//, `/${kind}/`)
      expect((await raw('GET', changed)).status, changed).toBe(404)
      expect((await raw('GET', `${changed}/thumbnail`)).status, changed).toBe(404)
    }
})

describe('the copy of a picture', () => {
  it('is public, cached for long, and has nothing drawn over it', async () => {
    const bytes = await expectPublicPicture(copyPath(tenantId, 'p'))
    const { picture } = await decodePicture(bytes, 1280)
    expect([...picture.data.subarray((30 * 100 + 22) * 4)].slice(0, 3).every((level) => level > 190)).toBe(true)
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain('T-Shirt')
    expect((await raw('GET', copyPath(tenantId, 'none'))).status).toBe(404)
  })
})

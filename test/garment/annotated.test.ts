import { describe, expect, it } from 'vitest'
import { bindings, raw } from '../service.ts'

describe('an annotated picture', () => {
  it('is public, cached for long, and can run nothing', async () => {
    const httpMetadata = { contentType: 'image/jpeg' }
    await bindings.PICTURES.put('annotated/t/p', new Uint8Array([1, 2, 3]), { httpMetadata })
    const response = await raw('GET', '/garment-tagging/annotated/t/p')
    expect(response.status).toBe(200)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const again = await raw('GET', '/garment-tagging/annotated/t/p', { 'If-None-Match': response.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('that does not exist is not found, whatever its name', async () => {
    for (const name of ['none', '..%2Fp', '%00']) {
      const response = await raw('GET', `/garment-tagging/annotated/t/${name}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ status: false, data: {} })
    }
  })
})

import { expect } from 'vitest'
import { raw } from '../service.ts'

/** Expects a JPEG that is public, cached for long and can run nothing. Returns its bytes. */
export async function expectPublicPicture(path: string): Promise<Uint8Array> {
  const response = await raw('GET', path)
  expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
    200,
    {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  ])
  const bytes = new Uint8Array(await response.arrayBuffer())
  const again = await raw('GET', path, { 'If-None-Match': response.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  return bytes
}

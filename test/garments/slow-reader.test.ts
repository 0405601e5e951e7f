import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { AppEnv } from '../../src/platform/http/router.ts'
import { servePicture } from '../../src/garments/pictures/serve-pictures.ts'

const mebibyte = 1024 * 1024

it('a picture whose reader is slow is not in memory meanwhile, and its copy is kept all the same', async () => {
  const readBytes: number[] = []
  const find = async () => {
    const index = readBytes.push(0) - 1
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        readBytes[index] = (readBytes[index] ?? 0) + mebibyte
        controller.enqueue(new Uint8Array(mebibyte))
        if (readBytes[index] === 20 * mebibyte) controller.close()
      },
    })
    const object = { body, httpEtag: '"e"', httpMetadata: {}, writeHttpMetadata: () => {} }
    return await Promise.resolve(object as unknown as R2ObjectBody)
  }
  const app = new Hono<AppEnv>().get('/*', async (c) => await servePicture(c, find))
  const address = `https://s.example/${crypto.randomUUID()}`
  const response = await app.request(address)
  await expect.poll(() => readBytes[1]).toBe(20 * mebibyte)
  expect(readBytes[0]).toBeLessThan(3 * mebibyte)
  await response.body?.cancel()
  await expect.poll(async () => (await caches.default.match(address))?.headers.get('etag')).toBe('"e"')
})

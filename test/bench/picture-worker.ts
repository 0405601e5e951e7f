import { PictureError } from '../../src/vision/picture-error.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'

/** 20 MiB, used again for every picture: the memory of the decoders is measured, not that of downloads. */
let buffer = new ArrayBuffer(20 * 1024 * 1024 + 1)

/** `/tag` does what the service does with a picture; any other path answers at once, unless the isolate is busy. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/tag') return new Response('ok')
    try {
      const { copy } = await tagPicture(await receive(request), { attribute: {} })
      return new Response(`tagged, ${copy.jpeg.length} bytes`)
    } catch (error) {
      if (error instanceof PictureError) return new Response(error.message)
      throw error
    }
  },
}

/** Into the buffer itself, as the service reads a picture: chunks of their own would be garbage of 20 MiB. */
async function receive(request: Request): Promise<Uint8Array> {
  const reader = request.body?.getReader({ mode: 'byob' })
  let length = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read(new Uint8Array(buffer, length))
    if (value !== undefined) buffer = value.buffer
    if (done) break
    length += value.byteLength
  }
  return new Uint8Array(buffer, 0, length)
}

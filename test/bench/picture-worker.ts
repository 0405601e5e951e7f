import { PictureError } from '../../src/vision/picture-error.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'

/** 20 MiB, used again for every picture: the memory of the decoders is measured, not that of downloads. */
const buffer = new Uint8Array(20 * 1024 * 1024)

/** `/tag` does what the service does with a picture; any other path answers at once, unless the isolate is busy. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/tag') return new Response('ok')
    try {
      const { annotated } = await tagPicture(await receive(request), { attribute: {} })
      return new Response(`tagged, ${annotated.bytes.length} bytes`)
    } catch (error) {
      if (error instanceof PictureError) return new Response(error.message)
      throw error
    }
  },
}

async function receive(request: Request): Promise<Uint8Array> {
  let length = 0
  for await (const chunk of request.body ?? []) {
    buffer.set(chunk, length)
    length += chunk.byteLength
  }
  return buffer.subarray(0, length)
}

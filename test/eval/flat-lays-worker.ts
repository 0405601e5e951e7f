import { tagEmbedded } from '../../src/vision/tag-embedded.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { decodeJpeg } from '../../src/vision/image/jpeg/decode-jpeg.ts'
import { readJpegHeader } from '../../src/vision/image/jpeg/read-jpeg-header.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'

/** As the service decodes it. */
const MAX_EDGE = 1280

/** The picture once with the scale known and once without; lengths in pixels are of the original. */
async function evaluate(bytes: Uint8Array, gender: string, cmPerPixel: number) {
  const { picture, scale } = await decodePicture(bytes, MAX_EDGE)
  const attribute = { Gender: gender }
  const known = await tagEmbedded({ picture, attribute, cmPerPixel: cmPerPixel * scale })
  const { measurements } = await tagEmbedded({ picture, attribute })
  return {
    tag: known.tag,
    outline: known.outline,
    holes: known.holes ?? [],
    scale,
    measurements: known.measurements,
    measurementsFromSizes: measurements,
  }
}

/** `/evaluate`, `/tag` (all the service does with a picture) and `/decode` (decoding alone, at full size). */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const bytes = new Uint8Array(await request.arrayBuffer())
    try {
      if (pathname === '/decode')
        return Response.json({ width: decodeJpeg(bytes, readJpegHeader(bytes), Infinity).width })
      if (pathname === '/tag') return new Response((await tagPicture(bytes, { attribute: {} })).annotated.bytes)
      return Response.json(
        await evaluate(bytes, searchParams.get('gender') ?? '', Number(searchParams.get('cmPerPixel'))),
      )
    } catch (error) {
      if (error instanceof PictureError) return Response.json({ fault: error.message })
      throw error
    }
  },
}

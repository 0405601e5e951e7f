import { tagDecoded } from '../../src/vision/tag-decoded.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { decodeJpeg } from '../../src/vision/image/jpeg/decode-jpeg.ts'
import { readJpegHeader } from '../../src/vision/image/jpeg/read-jpeg-header.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'

/** As the service decodes it. */
const MAX_EDGE = 1280

/** What the service concludes from a picture; lengths are in pixels of the decoded picture. */
async function evaluate(bytes: Uint8Array, attribute: Record<string, string>, cmPerPixel: number | undefined) {
  const { picture, scale } = await decodePicture(bytes, MAX_EDGE)
  const { tag, ranked, outlines, holes, measurements, lines, description, shown } = tagDecoded({
    picture,
    attribute,
    ...(cmPerPixel === undefined ? {} : { cmPerPixel: cmPerPixel * scale }),
  })
  return { tag, ranked, outlines, holes, scale, measurements, lines, description, shown }
}

/** `/evaluate`, `/tag` (all the service does with a picture) and `/decode` (decoding alone, at full size). */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const bytes = new Uint8Array(await request.arrayBuffer())
    try {
      if (pathname === '/decode')
        return Response.json({ width: (await decodeJpeg(bytes, readJpegHeader(bytes), Infinity)).width })
      if (pathname === '/tag') return new Response((await tagPicture(bytes, { attribute: {} })).annotated.bytes)
      const gender = searchParams.get('gender')
      const cmPerPixel = searchParams.get('cmPerPixel')
      return Response.json(
        await evaluate(
          bytes,
          gender === null ? {} : { Gender: gender },
          cmPerPixel === null ? undefined : Number(cmPerPixel),
        ),
      )
    } catch (error) {
      if (error instanceof PictureError) return Response.json({ fault: error.message })
      throw error
    }
  },
}

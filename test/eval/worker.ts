import { findCard } from '../../src/vision/card/find-card.ts'
import { analyse, tagAnalysis } from '../../src/vision/tag-analysis.ts'
import { readScene } from '../../src/vision/scene.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { decodeJpeg } from '../../src/vision/image/jpeg.ts'
import { readJpegHeader } from '../../src/vision/image/read-jpeg-header.ts'
import { cutOutGarment, maxCutoutEdge } from '../../src/vision/cutout/cut-out-garment.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { decodePicture, flatten } from '../../src/vision/image/decode-picture.ts'
import { shrinkByFactor } from '../../src/vision/image/shrink.ts'
import { getNetwork } from '../../src/vision/network/get-network.ts'
import calibration from '../../src/vision/network/calibration.json'
import { presenceMargin, settings } from '../../src/vision/network/predict-picture.ts'
import { classProbabilities } from '../../src/vision/rank.ts'
import { turnPixels } from '../../src/vision/network/choose-rotation.ts'
import { classify } from '../../src/vision/network/run-network.ts'
import { runViews, wholeSquare } from '../../src/vision/network/run-views.ts'
import { sampleSquare } from '../../src/vision/network/sample-square.ts'
import { viewEdge } from '../../src/vision/picture.ts'
import { tagPicture } from '../../src/vision/tag-picture.ts'
import { decodeLabel, readDecodedLabel } from '../../src/labels/read-label.ts'

/** As the service decodes it. */
const maxEdge = 1280

/** What the service concludes from a picture; lengths are in pixels of the decoded picture. */
async function evaluate(bytes: Uint8Array, attribute: Record<string, string>, cmPerPixel: number | undefined) {
  const { picture, scale } = await decodePicture(bytes, maxEdge)
  const found = findCard(picture)
  const { tag, ranked, outlines, holes, measurements, lines, shown, card } = tagAnalysis(
    await analyse(picture, found?.corners),
    { attribute, card: found, ...(cmPerPixel === undefined ? {} : { cmPerPixel: cmPerPixel * scale }) },
  )
  return { tag, ranked, outlines, holes, scale, measurements, lines, shown, card }
}

/** What the network alone says of a picture, for simulations. */
async function readHeads(bytes: Uint8Array): Promise<Response> {
  const { picture } = await decodePicture(bytes, maxEdge)
  const { prediction, segmentation, colour, ...analysis } = await analyse(picture, findCard(picture)?.corners)
  const { heads } = prediction
  const { trust, shown } = readScene({ ...analysis, ...heads, mask: segmentation.mask })
  return Response.json({ heads, colour, trust, shown, isDark: analysis.isDark })
}

/** What the presence head reads, the mean of its looks, and what comes of it. */
async function readFeatures(bytes: Uint8Array): Promise<Response> {
  const { picture } = await decodePicture(bytes, maxEdge)
  const { tags, ...network } = await getNetwork()
  const heads = [...tags.heads, { name: 'features', layer: 'pool', classes: [] }]
  const view = shrinkByFactor(picture, Math.ceil(Math.max(picture.width, picture.height) / viewEdge))
  const { logits } = await runViews({ ...network, tags: { ...tags, heads } }, settings, view)
  const read = (name: 'presence' | 'type') =>
    classProbabilities(heads.find((head) => head.name === name)!.classes, logits[name]!, calibration.temperatures[name])
  const margin = presenceMargin({ presence: read('presence'), type: read('type') })
  return Response.json({ features: Array.from(logits['features']!), margin })
}

/**
 * Returns float32 features of the first network's look at the picture, turned clockwise by 0 to 3 quarters: the
 * contrasts that the orientation head reads, and then the channel means that all other heads read.
 */
async function readTurns(bytes: Uint8Array): Promise<Response> {
  const { picture } = await decodePicture(bytes, viewEdge)
  const { tags, ...network } = await getNetwork()
  const heads = [
    { name: 'contrasts', layer: 'contrast', classes: [] },
    { name: 'means', layer: 'pool', classes: [] },
  ]
  const { wholeSize, outside } = settings
  let pixels = sampleSquare(picture, wholeSquare(picture), wholeSize, outside)
  const features: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    const { contrasts, means } = await classify({ ...network, tags }, { ...tags, heads }, pixels, wholeSize)
    features.push(...contrasts!, ...means!)
    pixels = turnPixels(pixels, wholeSize)
  }
  return new Response(Float32Array.from(features))
}

/** Looks for the printed card `times` times, so that one can be timed. */
async function lookForCard(bytes: Uint8Array, times: number): Promise<Response> {
  const { picture, scale } = await decodePicture(bytes, maxEdge)
  let card = findCard(picture)
  for (let round = 1; round < times; round++) card = findCard(picture)
  return Response.json({ card, scale })
}

/** Tags a picture, and then cuts its garment out of the file. */
async function tagAndCutOut(bytes: Uint8Array): Promise<Response> {
  const { drawing } = (await tagPicture(bytes, { attribute: {} })).copy
  const { picture, scale } = await decodePicture(bytes, maxCutoutEdge)
  const options = { ratio: '1:1', maxEdge: maxCutoutEdge } as const
  return new Response(encodeJpeg(flatten(cutOutGarment(picture, drawing, drawing.scale / scale, options)), 90))
}

/**
 * `/evaluate`, `/card` (the printed card alone), `/heads`, `/features`, `/turns`, `/tag` (all the service does with
 * a picture), `/label-picture` and `/label` (a label decoded, and read), `/cutout` (the same, and then a cut-out),
 * `/decode` (decoding alone, at full size) and `/pixels` (what it decodes to).
 */
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const bytes = new Uint8Array(await request.arrayBuffer())
    try {
      if (pathname === '/decode')
        return Response.json({ width: (await decodeJpeg(bytes, readJpegHeader(bytes), Infinity)).width })
      if (pathname === '/label-picture') return Response.json((await decodeLabel(bytes)).size)
      if (pathname === '/label') return Response.json((await readDecodedLabel(await decodeLabel(bytes))).values)
      if (pathname === '/tag') return new Response((await tagPicture(bytes, { attribute: {} })).copy.jpeg)
      if (pathname === '/cutout') return await tagAndCutOut(bytes)
      if (pathname === '/heads') return await readHeads(bytes)
      if (pathname === '/features') return await readFeatures(bytes)
      if (pathname === '/turns') return await readTurns(bytes)
      if (pathname === '/card') return await lookForCard(bytes, Number(searchParams.get('times') ?? 1))
      if (pathname === '/pixels') {
        const { width, data } = await decodeJpeg(bytes, readJpegHeader(bytes), Infinity)
        return new Response(data, { headers: { width: String(width) } })
      }
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

import { z } from '@hono/zod-openapi'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { invalidQuery, overloaded } from '../../platform/http/errors.ts'
import { createRouter } from '../../platform/http/router.ts'
import { toProblems } from '../../platform/http/validation.ts'
import { budget, waitForSlot } from '../../platform/limits/isolate-budget.ts'
import { createLimit } from '../../platform/limits/limit.ts'
import { log } from '../../log.ts'
import { systemClock } from '../../time.ts'
import { annotatePicture } from '../../vision/annotate/annotate-picture.ts'
import { type CleanCopy, type Drawing, readCopy } from '../../vision/annotate/clean-copy.ts'
import { cutOutGarment, maxCutoutEdge, type Ratio, ratios } from '../../vision/cutout/cut-out-garment.ts'
import { decodePicture, flatten } from '../../vision/image/decode-picture.ts'
import { encodeJpeg } from '../../vision/image/encode-jpeg.ts'
import { encodePng } from '../../vision/image/encode-png.ts'
import { shrink } from '../../vision/image/shrink.ts'
import { redrawLines } from '../../vision/measure/original-lines.ts'
import { PictureError } from '../../vision/picture-error.ts'
import { drawnLines, parseCorrections } from '../corrections/correction.ts'
import { cutoutNotFound } from '../garment-errors.ts'
import { findGarment, machineResult } from '../garment.ts'
import { annotatedName } from './answer-pictures.ts'
import { measuredPicture, parsePictures } from './garment-picture.ts'
import { cutoutKey, type CutoutVariant, keyOfAnnotated, keyOfCutout } from './stored-copy.ts'
import { addPictureRoute, findPicture, type Picture, servePicture } from './serve-pictures.ts'
import { fileKey } from './uploaded-file.ts'

type PictureEnv = Pick<Env, 'DB' | 'PICTURES'>

/** Null if there is no such picture. Throws `PictureError` if the copy is none. */
type Draw = (jpeg: Uint8Array, copy: CleanCopy) => Promise<Uint8Array | null>

/**
 * Whoever asks waits here first, where tenants take turns; then, for one, the isolate must have its decoding slot free.
 */
const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // A page of the list asks for 24.
  waitingPerKey: 60,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  maxActMs: 5000,
  busy: overloaded,
})

/**
 * Runs `draw` while the isolate decodes nothing else. Throws 503 if that takes too long.
 * @param bytes of memory for what it reads
 */
async function inDecodingSlot<T>(tenantId: string, bytes: number, draw: () => Promise<T>): Promise<T> {
  const run = budget.enter(tenantId, systemClock.now())
  try {
    if (!run.reserve(bytes) || !(await waitForSlot(run, systemClock))) throw overloaded()
    return await draw()
  } finally {
    run.leave()
  }
}

interface CopyName {
  readonly tenantId: string
  /** The name in the URL. */
  readonly pictureId: string
  readonly keyOf: typeof keyOfCutout
}

/**
 * A JPEG that is drawn from a copy for each view that no cache answers, which costs less than storing it. It has the
 * copy's ETag; `etag` as for `findPicture`. Null if there is no such picture.
 */
const drawCopy = async (
  env: PictureEnv,
  { tenantId, pictureId, keyOf }: CopyName,
  etag: string | undefined,
  draw: Draw,
) =>
  await withSlot(tenantId, async (): Promise<Picture | null> => {
    const stored = await findPicture(env, tenantId, pictureId, { keyOf, etag })
    if (stored === null || !('body' in stored)) return stored
    const jpeg = await stored.bytes()
    const copy = readCopy(jpeg)
    if (copy === null) return null
    const drawn = await draw(jpeg, copy).catch((error: unknown) => {
      if (!(error instanceof PictureError)) throw error
      log('warn', 'nothing drawn from a copy', { tenant: tenantId, error })
      return null
    })
    return drawn && { drawn, httpEtag: stored.httpEtag, httpMetadata: { contentType: 'image/jpeg' } }
  })

const namePattern = /^(?<pictureId>[^.]+)(?:\.(?<version>[0-9a-f]+))?$/

/**
 * An annotated picture. Lines that people have put right are read from the garment, which must still have the picture
 * with just those lines.
 * @param name as `annotatedName` gives it
 */
async function findAnnotated(env: PictureEnv, tenantId: string, name: string, etag: string | undefined) {
  const { pictureId = '', version = '' } = namePattern.exec(name)?.groups ?? {}
  return await drawCopy(env, { tenantId, pictureId, keyOf: keyOfAnnotated }, etag, async (jpeg, copy) => {
    const drawing = version === '' ? copy.drawing : await redraw(env, tenantId, name, copy)
    if (drawing === null) return null
    return await inDecodingSlot(tenantId, jpeg.length, async () => {
      const { picture } = await decodePicture(jpeg, Infinity)
      return encodeJpeg(annotatePicture(picture, drawing))
    })
  })
}

async function redraw(env: PictureEnv, tenantId: string, name: string, copy: CleanCopy): Promise<Drawing | null> {
  const garment = await findGarment(tenantDatabase(env, tenantId), tenantId, copy.uuid)
  const measured = garment && measuredPicture(parsePictures(garment))
  if (!garment || !measured || annotatedName(garment, measured) !== name) return null
  const lines = drawnLines(parseCorrections(garment.corrections))
  return redrawLines(copy.drawing, lines, machineResult(garment).view ?? {})
}

/** Shown at a height of up to 300 pixels among the newest garments. */
const thumbnailEdge = 320

/** A small picture for lists: the cut-out, or the copy where there is none. */
export const findThumbnail = async (env: PictureEnv, tenantId: string, pictureId: string, etag: string | undefined) =>
  await drawCopy(
    env,
    { tenantId, pictureId, keyOf: keyOfAnnotated },
    etag,
    async (jpeg, { drawing }) =>
      await inDecodingSlot(tenantId, jpeg.length, async () => {
        // A decoder may stop below the edge that it is given, so twice the edge keeps it sharp.
        const { picture, scale } = await decodePicture(jpeg, 2 * thumbnailEdge)
        if (!drawing.isCutOut) return encodeJpeg(shrink(picture, thumbnailEdge))
        const options = { ratio: '4:5', maxEdge: thumbnailEdge } as const
        return encodeJpeg(flatten(cutOutGarment(picture, drawing, 1 / scale, options)))
      }),
  )

const cutoutQuery = z.object({
  background: z.enum(['white', 'none']).default('white').openapi({ description: '`none`: a PNG with transparency.' }),
  ratio: z
    .enum(Object.keys(ratios) as Ratio[])
    .default('1:1')
    .openapi({ description: 'Width to height.' }),
})

interface Cutout extends z.infer<typeof cutoutQuery> {
  readonly tenantId: string
  readonly pictureId: string
}

const variantOf = ({ background, ratio }: Cutout): CutoutVariant =>
  `cut${ratio === '4:5' ? '-4x5' : ''}${background === 'none' ? '-none' : ''}`

/**
 * The garment alone, from the uploaded file, or from the copy of a picture that was given by its address. It takes long
 * to draw, and shops show it to their customers, so it is kept beside the copy. Throws 404 that says why there is none.
 */
export async function findCutout(env: PictureEnv, cutout: Cutout, etag: string | undefined): Promise<Picture | null> {
  const { tenantId, pictureId, background, ratio } = cutout
  const keyOfCopy = keyOfCutout(tenantId, pictureId)
  const key = cutoutKey(keyOfCopy, variantOf(cutout))
  const kept = await findPicture(env, tenantId, pictureId, { keyOf: () => key, etag })
  if (kept !== null) return kept
  const made = await drawCopy(
    env,
    { tenantId, pictureId, keyOf: keyOfCutout },
    undefined,
    async (jpeg, { file, rotation, drawing }) => {
      if (!drawing.isCutOut) throw cutoutNotFound()
      const original = file === '' ? null : await env.PICTURES.get(fileKey(tenantId, file))
      return await inDecodingSlot(tenantId, original?.size ?? jpeg.length, async () => {
        const bytes = await original?.arrayBuffer()
        const { picture, scale } =
          bytes === undefined
            ? await decodePicture(jpeg, maxCutoutEdge)
            : await decodePicture(new Uint8Array(bytes), maxCutoutEdge, rotation)
        // Frees the memory at once; the garbage collector comes later.
        bytes?.transfer(0)
        const ratioToCopy = original === null ? 1 : drawing.scale / scale
        const garment = cutOutGarment(picture, drawing, ratioToCopy, { ratio, maxEdge: maxCutoutEdge })
        return background === 'none' ? await encodePng(garment) : encodeJpeg(flatten(garment), cutoutQuality)
      })
    },
  )
  if (made === null || !('drawn' in made)) return made
  const httpMetadata = { contentType: background === 'none' ? 'image/png' : 'image/jpeg' }
  const { httpEtag } = await env.PICTURES.put(key, made.drawn, { httpMetadata })
  // Whoever removes the copy removes its cut-outs. If that was before this one was stored, nobody else would.
  if ((await env.PICTURES.head(keyOfCopy)) !== null) return { ...made, httpEtag, httpMetadata }
  await env.PICTURES.delete(key)
  return null
}

/** A JPEG's, 1 to 100. */
const cutoutQuality = 90

/** What is drawn from copies. */
export const drawnPictureRoutes = createRouter()

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getAnnotatedPicture',
  summary: 'Get an annotated picture',
  description:
    'The address in `annotated_img`, which is another one once lines have been corrected. It is drawn when it is asked ' +
    'for. It needs no credentials, cannot be guessed and may be cached for a year.',
  contentTypes: ['image/jpeg'],
  respond: async (c, tenantId, name) =>
    await servePicture(c, async (etag) => await findAnnotated(c.env, tenantId, name, etag)),
})

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail',
  id: 'pictureId',
  operationId: 'getThumbnail',
  summary: 'Get a small picture of a garment',
  description:
    'For lists: a JPEG of at most 320 pixels on the longest edge, cut out if it can be, under the address in `annotated_img` with `/thumbnail` ' +
    'behind it. It is made when it is asked for.',
  contentTypes: ['image/jpeg'],
  async respond(c, tenantId, name) {
    const [pictureId = ''] = name.split('.')
    return await servePicture(c, async (etag) => await findThumbnail(c.env, tenantId, pictureId, etag))
  },
})

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/cutout/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getCutout',
  summary: 'Get a garment cut out',
  description:
    'The address in `cutout_img`: the garment alone, with an even margin, of at most 2,000 pixels on the longest edge. It is made ' +
    'when it is first asked for. It needs no credentials, cannot be guessed and may be cached for a year. There is none where the ' +
    'garment is worn or shown in part, or where its outline is not sure.',
  contentTypes: ['image/jpeg', 'image/png'],
  query: cutoutQuery,
  failures: [invalidQuery(['ratio: must be one of 1:1, 4:5']), cutoutNotFound()],
  async respond(c, tenantId, pictureId) {
    const query = cutoutQuery.safeParse(c.req.query())
    if (!query.success) throw invalidQuery(toProblems(query.error))
    const cutout = { tenantId, pictureId, ...query.data }
    return await servePicture(c, async (etag) => await findCutout(c.env, cutout, etag), { variant: variantOf(cutout) })
  },
})

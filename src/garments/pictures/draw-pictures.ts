import { z } from '@hono/zod-openapi'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { invalidQuery, overloaded } from '../../platform/http/errors.ts'
import { createRouter } from '../../platform/http/router.ts'
import { toProblems } from '../../platform/http/validation.ts'
import { budget } from '../../platform/limits/isolate-budget.ts'
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
import { measuredPicture, parsePictures, rotations } from './garment-picture.ts'
import { cutoutKey, type CutoutVariant, keyOfAnnotated, keyOfCutout } from './stored-copy.ts'
import { addPictureRoute, findPicture, type ServedPicture, servePicture } from './serve-pictures.ts'
import { fileKey } from './uploaded-file.ts'

type PictureEnv = Pick<Env, 'DB' | 'PICTURES'>

/** Returns null if the picture does not exist. Throws `PictureError` for a bad copy. */
type Draw = (jpeg: Uint8Array, copy: CleanCopy) => Promise<Uint8Array | null>

/** Tenants take turns here first. The next request then waits for the isolate's decoding slot. */
const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // A page of the list requests 24 pictures at once.
  waitingPerKey: 60,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  maxActMs: 5000,
  busy: overloaded,
})

/**
 * Runs `draw` while the isolate decodes nothing else. Throws 503 if the wait is too long.
 * @param bytes memory for the encoded picture
 */
async function inDecodingSlot<T>(tenantId: string, bytes: number, draw: () => Promise<T>): Promise<T> {
  const run = budget.enter(tenantId, systemClock.now())
  try {
    if (!run.reserve(bytes) || !(await run.waitForSlot(systemClock))) throw overloaded()
    return await draw()
  } finally {
    run.leave()
  }
}

interface StoredName {
  readonly tenantId: string
  readonly pictureId: string
  readonly keyOf: typeof keyOfCutout
  readonly inBin?: boolean
}

/**
 * Finds a stored picture and draws another one from it. Drawing again after each cache miss costs less than storing the
 * result. Null if the picture does not exist or cannot be decoded.
 */
const drawStored = async (
  env: PictureEnv,
  { tenantId, pictureId, ...options }: StoredName,
  etag: string | undefined,
  draw: (stored: R2ObjectBody) => Promise<Uint8Array | null>,
) =>
  await withSlot(tenantId, async (): Promise<ServedPicture | null> => {
    const stored = await findPicture(env, tenantId, pictureId, { ...options, etag })
    if (stored === null || !('body' in stored)) return stored
    const drawn = await draw(stored).catch((error: unknown) => {
      if (!(error instanceof PictureError)) throw error
      log('warn', 'picture not drawn', { tenant: tenantId, error })
      return null
    })
    return drawn && { drawn, httpEtag: stored.httpEtag, httpMetadata: { contentType: 'image/jpeg' } }
  })

const drawCopy = async (env: PictureEnv, name: StoredName, etag: string | undefined, draw: Draw) =>
  await drawStored(env, name, etag, async (stored) => {
    const jpeg = await stored.bytes()
    const copy = readCopy(jpeg)
    return copy && (await draw(jpeg, copy))
  })

const namePattern = /^(?<pictureId>[^.]+)(?:\.(?<version>[0-9a-f]+))?$/

/** Draws an annotated picture. Returns null if the garment's lines have changed since the URL was created. */
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

/** The overview shows thumbnails at a height of up to 300 pixels. */
const thumbnailEdge = 320

interface Thumbnail {
  readonly tenantId: string
  readonly pictureId: string
  readonly isCutoutOff: boolean
  readonly inBin?: boolean
}

/** Draws a small picture for lists: the cut-out, or else the whole picture. */
export const findThumbnail = async (env: PictureEnv, { isCutoutOff, ...name }: Thumbnail, etag: string | undefined) =>
  await drawCopy(
    env,
    { ...name, keyOf: keyOfAnnotated },
    etag,
    async (jpeg, { drawing }) =>
      await inDecodingSlot(name.tenantId, jpeg.length, async () => {
        // A decoder may return fewer pixels than requested, so twice the edge keeps the thumbnail sharp.
        const { picture, scale } = await decodePicture(jpeg, 2 * thumbnailEdge)
        if (isCutoutOff || !drawing.isCutOut) return encodeJpeg(shrink(picture, thumbnailEdge))
        const options = { ratio: '4:5', maxEdge: thumbnailEdge } as const
        return encodeJpeg(flatten(cutOutGarment(picture, drawing, 1 / scale, options)))
      }),
  )

const uprightQuery = z.object({
  rotated: z
    .enum(['0', '90', '180', '270'])
    .default('0')
    .openapi({ description: 'Degrees clockwise, as `rotated` of the picture.' }),
  size: z.enum(['large', 'thumbnail']).default('large').openapi({ description: 'At most 2,000 or 320 pixels.' }),
})

interface Upright extends z.infer<typeof uprightQuery> {
  readonly tenantId: string
  readonly fileId: string
}

/** Draws an uploaded file upright. Returns null if it does not exist or cannot be decoded. */
async function findUpright(env: PictureEnv, { tenantId, fileId, rotated, size }: Upright, etag: string | undefined) {
  const rotation = rotations.find((each) => String(each) === rotated)
  const isSmall = size === 'thumbnail'
  const edge = isSmall ? thumbnailEdge : maxCutoutEdge
  return await drawStored(
    env,
    { tenantId, pictureId: fileId, keyOf: fileKey },
    etag,
    async (stored) =>
      await inDecodingSlot(tenantId, stored.size, async () => {
        const { picture } = await decodePicture(await stored.bytes(), isSmall ? 2 * edge : edge, rotation)
        return encodeJpeg(shrink(picture, edge), cutoutQuality)
      }),
  )
}

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

const ratioNames = { '1:1': '', '4:5': '-4x5', '3:4': '-3x4' } as const satisfies Record<Ratio, string>

const variantOf = ({ background, ratio }: Cutout): CutoutVariant =>
  `cut${ratioNames[ratio]}${background === 'none' ? '-none' : ''}`

/**
 * Finds or draws a cut-out. It is drawn from the uploaded file, or from the stored copy if the picture was given by its
 * URL. Drawing is slow and shops show cut-outs to their customers, so the result is stored beside the copy. Throws 404
 * with the reason if the picture has no cut-out.
 */
export async function findCutout(
  env: PictureEnv,
  cutout: Cutout,
  etag: string | undefined,
): Promise<ServedPicture | null> {
  const { tenantId, pictureId, background, ratio } = cutout
  const keyOfCopy = keyOfCutout(tenantId, pictureId)
  const key = cutoutKey(keyOfCopy, variantOf(cutout))
  const stored = await findPicture(env, tenantId, pictureId, { keyOf: () => key, etag })
  if (stored !== null) return stored
  const drawn = await drawCopy(
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
        // Frees the memory before the garbage collector runs.
        bytes?.transfer(0)
        const ratioToCopy = original === null ? 1 : drawing.scale / scale
        const garment = cutOutGarment(picture, drawing, ratioToCopy, { ratio, maxEdge: maxCutoutEdge })
        return background === 'none' ? await encodePng(garment) : encodeJpeg(flatten(garment), cutoutQuality)
      })
    },
  )
  if (drawn === null || !('drawn' in drawn)) return drawn
  const httpMetadata = { contentType: background === 'none' ? 'image/png' : 'image/jpeg' }
  const { httpEtag } = await env.PICTURES.put(key, drawn.drawn, { httpMetadata })
  // Removing a copy removes its cut-outs. If the copy was removed before this cut-out was stored, remove it here.
  if ((await env.PICTURES.head(keyOfCopy)) !== null) return { ...drawn, httpEtag, httpMetadata }
  await env.PICTURES.delete(key)
  return null
}

const cutoutQuality = 90

export const drawnPictureRoutes = createRouter()

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getAnnotatedPicture',
  summary: 'Get an annotated picture',
  description:
    'The URL in `annotated_img`, which changes when lines are corrected. The picture is drawn on request. The URL needs ' +
    'no credentials, cannot be guessed and may be cached for a year.',
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
    'A JPEG of at most 320 pixels on the longest edge, cut out if possible. Its URL is `annotated_img` followed by ' +
    '`/thumbnail`. It is drawn on request. `?cutout=off` gives the photograph, even if it can be cut out.',
  contentTypes: ['image/jpeg'],
  async respond(c, tenantId, name) {
    const [pictureId = ''] = name.split('.')
    const isCutoutOff = c.req.query('cutout') === 'off'
    const thumbnail = { tenantId, pictureId, isCutoutOff }
    const variant = isCutoutOff ? 'cutout=off' : ''
    return await servePicture(c, async (etag) => await findThumbnail(c.env, thumbnail, etag), { variant })
  },
})

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/upright/{tenantId}/{fileId}',
  id: 'fileId',
  operationId: 'getUprightPicture',
  summary: 'Get an uploaded picture upright',
  description:
    'A JPEG of the uploaded file, rotated as its picture is. Files for shops name it for rotated pictures, and the ' +
    'dashboard shows it for labels and details. It is drawn on request. The URL needs no credentials, cannot be guessed ' +
    'and may be cached for a year.',
  contentTypes: ['image/jpeg'],
  query: uprightQuery,
  failures: [invalidQuery(['rotated: must be one of 0, 90, 180, 270'])],
  async respond(c, tenantId, fileId) {
    const query = uprightQuery.safeParse(c.req.query())
    if (!query.success) throw invalidQuery(toProblems(query.error))
    const { rotated, size } = query.data
    const variant = `rotated=${rotated}&size=${size}`
    return await servePicture(c, async (etag) => await findUpright(c.env, { tenantId, fileId, rotated, size }, etag), {
      variant,
    })
  },
})

addPictureRoute(drawnPictureRoutes, {
  path: '/garment-tagging/cutout/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getCutout',
  summary: 'Get a garment cut out',
  description:
    'The URL in `cutout_img`: the garment alone in the middle of a canvas, with a margin of 8 % and at most 2,000 pixels on ' +
    'the longest edge. It is drawn when it is first requested. The URL needs no credentials, cannot be guessed and may be ' +
    'cached for a year. Worn garments, partly visible garments and uncertain outlines have no cut-out.',
  contentTypes: ['image/jpeg', 'image/png'],
  query: cutoutQuery,
  failures: [invalidQuery(['ratio: must be one of 1:1, 4:5, 3:4']), cutoutNotFound()],
  async respond(c, tenantId, pictureId) {
    const query = cutoutQuery.safeParse(c.req.query())
    if (!query.success) throw invalidQuery(toProblems(query.error))
    const cutout = { tenantId, pictureId, ...query.data }
    return await servePicture(c, async (etag) => await findCutout(c.env, cutout, etag), { variant: variantOf(cutout) })
  },
})

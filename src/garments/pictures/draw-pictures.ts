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
import { cutoutNotFound } from '../errors.ts'
import { findGarment, machineResult } from '../garment.ts'
import { madeKey, type MadeKind, pictureKey } from './annotated-picture.ts'
import { annotatedName, measuredPlace } from './images.ts'
import { findPicture, pictureRoute, servePicture } from './serve-pictures.ts'
import { fileKey } from './uploaded-file.ts'

type PictureEnv = Pick<Env, 'DB' | 'PICTURES'>

/** A picture that is made of a copy, by whoever first asks for it, and kept beside the copy. */
interface MadePicture {
  readonly tenantId: string
  readonly pictureId: string
  readonly kind: MadeKind
  /** One that was made of another version is made again. */
  readonly version?: string
  readonly contentType?: string
  /** Null if there is no such picture. Throws `PictureError` if the copy is none. */
  readonly make: (jpeg: Uint8Array, copy: CleanCopy) => Promise<Uint8Array | null>
}

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

/** Null if there is no such picture. `etag` as for `findPicture`. */
async function findMade(env: PictureEnv, made: MadePicture, etag: string | undefined) {
  const { tenantId, pictureId, kind, version = '' } = made
  const find = async () => {
    const keyOf = (tenant: string, picture: string) => madeKey(tenant, picture, kind)
    const found = await findPicture(env, tenantId, pictureId, { keyOf, etag })
    return found !== null && (found.customMetadata?.['version'] ?? '') === version ? found : null
  }
  const found = await find()
  if (found !== null) return found
  const isKept = await withSlot(tenantId, async () => await keepMade(env, made))
  return isKept ? await find() : null
}

async function keepMade(env: PictureEnv, made: MadePicture): Promise<boolean> {
  const { tenantId, pictureId, kind, version, contentType = 'image/jpeg', make } = made
  const stored = await findPicture(env, tenantId, pictureId, { keyOf: pictureKey, etag: undefined })
  if (stored === null || !('body' in stored)) return false
  const jpeg = await stored.bytes()
  const copy = readCopy(jpeg)
  if (copy === null) return false
  const bytes = await make(jpeg, copy).catch((error: unknown) => {
    if (!(error instanceof PictureError)) throw error
    log('warn', 'nothing drawn from a copy', { tenant: tenantId, kind, error })
    return null
  })
  if (bytes === null) return false
  const key = madeKey(tenantId, pictureId, kind)
  const customMetadata: Record<string, string> = version === undefined ? {} : { version }
  await env.PICTURES.put(key, bytes, { httpMetadata: { contentType }, customMetadata })
  // Whoever removes the copy removes all that is made of it. If that was before this one was stored, nobody else would.
  const isThere = (await env.PICTURES.head(pictureKey(tenantId, pictureId))) !== null
  if (!isThere) await env.PICTURES.delete(key)
  return isThere
}

const namePattern = /^(?<pictureId>[^.]+)(?:\.(?<version>[0-9a-f]+))?$/

/**
 * An annotated picture. Lines that people have put right are read from the garment, which must still have the picture
 * with just those lines.
 * @param name as `annotatedName` gives it
 */
async function findAnnotated(env: PictureEnv, tenantId: string, name: string, etag: string | undefined) {
  const { pictureId = '', version = '' } = namePattern.exec(name)?.groups ?? {}
  const make = async (jpeg: Uint8Array, copy: CleanCopy) => {
    const drawing = version === '' ? copy.drawing : await redraw(env, { tenantId, name, copy })
    if (drawing === null) return null
    return await inDecodingSlot(tenantId, jpeg.length, async () => {
      const { picture } = await decodePicture(jpeg, Infinity)
      return encodeJpeg(annotatePicture(picture, drawing))
    })
  }
  return await findMade(env, { tenantId, pictureId, kind: 'lined', version, make }, etag)
}

interface Redrawn {
  readonly tenantId: string
  readonly name: string
  readonly copy: CleanCopy
}

async function redraw(env: PictureEnv, { tenantId, name, copy }: Redrawn): Promise<Drawing | null> {
  const garment = await findGarment(tenantDatabase(env, tenantId), tenantId, copy.uuid)
  if (garment === null || annotatedName(garment, measuredPlace(garment)) !== name) return null
  const lines = drawnLines(parseCorrections(garment.corrections))
  return redrawLines(copy.drawing, lines, machineResult(garment).view ?? {})
}

/** Shown at a height of up to 300 pixels among the newest garments. */
const thumbnailEdge = 320

/** A small picture for lists: the cut-out, or the copy where there is none. */
export async function findThumbnail(env: PictureEnv, tenantId: string, pictureId: string, etag: string | undefined) {
  const make = async (jpeg: Uint8Array, { drawing }: CleanCopy) =>
    await inDecodingSlot(tenantId, jpeg.length, async () => {
      // A decoder may stop below the edge that it is given, so twice the edge keeps it sharp.
      const { picture, scale } = await decodePicture(jpeg, 2 * thumbnailEdge)
      if (!drawing.isCutOut) return encodeJpeg(shrink(picture, thumbnailEdge))
      const options = { ratio: '4:5', maxEdge: thumbnailEdge } as const
      return encodeJpeg(flatten(cutOutGarment(picture, drawing, 1 / scale, options)))
    })
  return await findMade(env, { tenantId, pictureId, kind: 'small', make }, etag)
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

const kindOf = ({ background, ratio }: Cutout): MadeKind =>
  `cut${ratio === '4:5' ? '-4x5' : ''}${background === 'none' ? '-none' : ''}`

/**
 * The garment alone, from the uploaded file, or from the copy of a picture that was given by its address. Throws 404
 * that says why there is none.
 */
async function findCutout(env: PictureEnv, cutout: Cutout, etag: string | undefined) {
  const { tenantId, pictureId, background, ratio } = cutout
  const make = async (jpeg: Uint8Array, { file, drawing }: CleanCopy) => {
    if (!drawing.isCutOut) throw cutoutNotFound()
    const original = file === '' ? null : await env.PICTURES.get(fileKey(tenantId, file))
    return await inDecodingSlot(tenantId, original?.size ?? jpeg.length, async () => {
      const bytes = await original?.arrayBuffer()
      const { picture, scale } = await decodePicture(bytes === undefined ? jpeg : new Uint8Array(bytes), maxCutoutEdge)
      // Frees the memory at once; the garbage collector comes later.
      bytes?.transfer(0)
      const ratioToCopy = original === null ? 1 : drawing.scale / scale
      const garment = cutOutGarment(picture, drawing, ratioToCopy, { ratio, maxEdge: maxCutoutEdge })
      return background === 'none' ? await encodePng(garment) : encodeJpeg(flatten(garment), cutoutQuality)
    })
  }
  const contentType = background === 'none' ? 'image/png' : 'image/jpeg'
  return await findMade(env, { tenantId, pictureId, kind: kindOf(cutout), contentType, make }, etag)
}

/** Of a JPEG, 1 to 100. */
const cutoutQuality = 90

const annotatedRoute = pictureRoute({
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getAnnotatedPicture',
  summary: 'Get an annotated picture',
  description:
    'The address in `annotated_img`, which is another one once lines have been corrected. It is drawn when it is first asked ' +
    'for. It needs no credentials, cannot be guessed and may be cached for a year.',
  contentTypes: ['image/jpeg'],
})

const thumbnailRoute = pictureRoute({
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail',
  id: 'pictureId',
  operationId: 'getThumbnail',
  summary: 'Get a small picture of a garment',
  description:
    'For lists: a JPEG of at most 320 pixels on the longest edge, cut out if it can be, under the address in `annotated_img` with `/thumbnail` ' +
    'behind it. It is made when it is first asked for, and kept as long as the picture.',
  contentTypes: ['image/jpeg'],
})

const cutoutRoute = pictureRoute({
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
})

/** What is drawn from copies. */
export const drawnPictureRoutes = createRouter()

drawnPictureRoutes.openAPIRegistry.registerPath(annotatedRoute)
drawnPictureRoutes.get(annotatedRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId: name } = c.req.param()
  return await servePicture(c, async (etag) => await findAnnotated(c.env, tenantId, name, etag))
})

drawnPictureRoutes.openAPIRegistry.registerPath(thumbnailRoute)
drawnPictureRoutes.get(thumbnailRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId: name } = c.req.param()
  const [pictureId = ''] = name.split('.')
  return await servePicture(c, async (etag) => await findThumbnail(c.env, tenantId, pictureId, etag))
})

drawnPictureRoutes.openAPIRegistry.registerPath(cutoutRoute)
drawnPictureRoutes.get(cutoutRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId } = c.req.param()
  const query = cutoutQuery.safeParse(c.req.query())
  if (!query.success) throw invalidQuery(toProblems(query.error))
  const cutout = { tenantId, pictureId, ...query.data }
  return await servePicture(c, async (etag) => await findCutout(c.env, cutout, etag), { variant: kindOf(cutout) })
})

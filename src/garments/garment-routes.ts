import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { createRoute, z } from '@hono/zod-openapi'
import { invalidBody } from '../platform/http/errors.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import {
  filesTooLarge,
  fileTooLarge,
  lengthRequired,
  malformedForm,
  notMultipart,
  readMultipart,
} from '../platform/http/multipart.ts'
import { type AppEnv, byApiKey, createRouter, type MoreProblems, rejectRequest } from '../platform/http/router.ts'
import { hasLoneSurrogate, hasProtoKey } from '../platform/http/text.ts'
import { fieldSentences, findNearMisses, nearMissSentence, toProblems } from '../platform/http/validation.ts'
import { maxImageBytes } from '../platform/outbound/fetch-image.ts'
import { givenAttributeSchema, garmentResultSchema, garmentUuid, imageSchema, uploadSchema } from './garment-fields.ts'
import { acceptFiles, acceptImage, acceptUpload, imageProblems } from './accept-upload.ts'
import { gated, tenantGate } from '../accounts/gate.ts'
import { jsonBody, jsonRequest } from '../platform/http/body.ts'
import { formatNames } from '../vision/image/formats.ts'
import { quotaExceeded } from '../accounts/quotas.ts'
import { settingsOf } from '../settings.ts'
import { maxPictures } from './pictures/garment-picture.ts'
import { tooManyWaiting, unsupportedFile, uuidConflict } from './garment-errors.ts'
import { completeGarment } from './garment-example.ts'
import { garmentVersion, getNearGarment, toGarmentResponse } from './garment.ts'
import { byKey } from '../accounts/audit.ts'
import { pictureKinds } from '../vision/scene.ts'
import { deleteGarment } from './delete-garment.ts'

const jsonField = (empty: string, example: string) =>
  z
    .string()
    .default(empty)
    .transform((text, context): unknown => {
      if (hasLoneSurrogate(text)) context.addIssue({ code: 'custom', message: fieldSentences.not_unicode() })
      if (hasProtoKey(text)) context.addIssue({ code: 'custom', message: 'must not have a key __proto__' })
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: `must be a JSON ${example}` })
        return z.NEVER
      }
    })

const fieldsSchema = z.object({
  uuid: garmentUuid,
  number: z.coerce.number('must be a number').int().positive().optional(),
  attribute: jsonField('{}', 'object, such as {"Brand": "Ann"}').pipe(givenAttributeSchema),
  kinds: jsonField('[]', 'array, such as ["front", "back"]').pipe(
    z.array(z.enum(pictureKinds).nullable()).max(maxPictures),
  ),
})

const binary = { type: 'string' as const, format: 'binary' }

const uploadForm = {
  schema: {
    type: 'object' as const,
    properties: {
      uuid: { type: 'string' as const, minLength: 1, maxLength: 128 },
      number: { type: 'integer' as const, minimum: 1, description: 'A reserved stock number.' },
      attribute: {
        type: 'string' as const,
        description: 'JSON object of known attributes, such as `{"Brand": "Ann"}`.',
      },
      kinds: {
        type: 'string' as const,
        description:
          'JSON list with the kind of each image, in the order of the images. The service predicts kinds that are null.',
      },
      image: {
        type: 'array' as const,
        minItems: 1,
        maxItems: maxPictures,
        items: binary,
        description: 'The files, as the last parts, at most 20 MiB each and 95 MB together.',
      },
    },
    required: ['uuid', 'image'],
  },
  example: {
    uuid: '12345',
    attribute: '{"Brand":"Ann"}',
    kinds: '["front","back"]',
    image: ['a file', 'another file'],
  },
}

/** Adds that the field must precede the file, since a form may contain it after the file. */
const beforeFile = (problem: string) =>
  problem.endsWith(': is required') ? `${problem}, before the file, which is the last part of the form` : problem

/** Handles an upload as a form with files. Passes other bodies to the next handler. */
const formUpload = createMiddleware<AppEnv>(async (c, next) => {
  if (!/^multipart\/form-data\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return await next()
  const { fields, file } = await readMultipart(c.req.raw, { maxFileBytes: maxImageBytes, maxFiles: maxPictures })
  const parsed = fieldsSchema.safeParse(fields)
  const problems = [
    ...(parsed.success ? [] : toProblems(parsed.error).map(beforeFile)),
    ...findNearMisses(fields, Object.keys(fieldsSchema.shape)).map(nearMissSentence),
    // PHP, Rails and axios send an object as one part per key.
    ...(Object.keys(fields).some((name) => name.startsWith('attribute['))
      ? ['attribute: must be one part with a JSON object, such as {"Brand": "Ann"}, not a part for each key']
      : []),
    ...(file.size === 0 ? ['image: must not be empty'] : []),
  ]
  if (!parsed.success || problems.length > 0) {
    await file.body.cancel()
    throw invalidBody(problems)
  }
  c.set('uuid', parsed.data.uuid)
  const { origin } = new URL(c.req.url)
  await acceptFiles({ env: c.env, db: c.var.db }, c.var.tenantId, { ...parsed.data, file, origin }, Date.now())
  return ok(c, {})
})

const kindSchema = z.enum(pictureKinds).optional()

/** Handles an added picture as a form with a file. Passes other bodies to the next handler. */
const formImage = createMiddleware<AppEnv>(async (c, next) => {
  if (!/^multipart\/form-data\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return await next()
  const uuid = garmentUuid.safeParse(c.req.query('uuid'))
  const { fields, file } = await readMultipart(c.req.raw, { maxFileBytes: maxImageBytes })
  const parsed = z.object({ kind: kindSchema }).safeParse(fields)
  const problems = [
    ...(uuid.success ? [] : toProblems(uuid.error).map((problem) => problem.replace(/^body/, 'uuid'))),
    ...(parsed.success ? [] : toProblems(parsed.error)),
    ...(file.size === 0 ? ['image: must not be empty'] : []),
  ]
  if (!uuid.success || !parsed.success || problems.length > 0) {
    await file.body.cancel()
    throw invalidBody(problems)
  }
  return await answerImage(c, { uuid: uuid.data, added: file, kind: parsed.data.kind ?? null })
})

async function answerImage(
  c: Context<AppEnv>,
  added: Pick<Parameters<typeof acceptImage>[2], 'uuid' | 'added' | 'kind'>,
) {
  c.set('uuid', added.uuid)
  const { origin } = new URL(c.req.url)
  const by = byKey(c.var.apiKeyId)
  const garment = await acceptImage({ env: c.env, db: c.var.db }, c.var.tenantId, { ...added, origin, by }, Date.now())
  c.header('ETag', garmentVersion(garment))
  return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
}

const uploadBody = jsonRequest(uploadSchema, {
  uuid: '12345',
  image_url: 'https://example.com/shirt.jpg',
  attribute: { Brand: 'Ann', Gender: "Men's", Material: 'Cotton' },
})
// Assigned later, because the route's types allow only one content type.
Object.assign(uploadBody.content, { 'multipart/form-data': uploadForm })

const pictureProblems = [
  quotaExceeded('row_bytes', 200_000_000),
  quotaExceeded('files', 50_000),
  lengthRequired(),
  malformedForm(),
  fileTooLarge(maxImageBytes),
  notMultipart(),
  unsupportedFile(formatNames, undefined),
]

const uploadRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/upload',
  operationId: 'uploadGarment',
  summary: "Upload a garment's picture",
  description:
    'The garment is tagged in the background, usually within a second. After a 200, it is either tagged or ends `failed` ' +
    'with a reason. Sending the same content again under the same uuid changes nothing, but a failed garment is tagged ' +
    'again.\n\n' +
    `A picture is a ${formatNames}. A garment has up to ${maxPictures}. If one of several cannot be read, it is listed ` +
    `with its failure code. The garment fails only if none can be tagged.` +
    '\n\nAs `multipart/form-data`, the upload has one or more files `image` instead of `image_url`, and `kinds` says ' +
    'what they show.',
  security: byApiKey,
  middleware: [tenantGate, formUpload, jsonBody] as const,
  request: {
    body: uploadBody,
  },
  responses: responses(z.object({}), {}, [
    uuidConflict([
      'image_url: this uuid has the image "https://example.com/other.jpg"; PATCH /garment-tagging/garment?uuid= replaces images, or use another uuid',
      'attribute.Brand: this uuid has "Ann"; PATCH /garment-tagging/garment?uuid= changes it',
    ]),
    tooManyWaiting(1000),
    quotaExceeded('garments', 200_000),
    filesTooLarge(),
    ...pictureProblems,
  ]),
})

const imageBody = jsonRequest(imageSchema, { url: 'https://example.com/label.jpg', kind: 'label' })
Object.assign(imageBody.content, {
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: {
        kind: { type: 'string' as const, enum: [...pictureKinds] },
        image: { ...binary, description: 'The file, as the last part, at most 20 MiB.' },
      },
      required: ['image'],
    },
    example: { kind: 'label', image: 'the file' },
  },
})

const imageRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/pictures',
  operationId: 'addPicture',
  summary: 'Add a picture to a garment',
  description:
    `Adds the picture after the others, up to ${maxPictures} in total. The garment is tagged again, keeps its attributes ` +
    `and corrections, and its completion is sent again. Adding the same picture twice changes nothing. As ` +
    `\`multipart/form-data\`, the request has a file instead of \`url\`. \`PATCH /garment-tagging/garment\` replaces, ` +
    `orders and removes pictures.`,
  security: byApiKey,
  middleware: [tenantGate, formImage, jsonBody] as const,
  request: { query: z.object({ uuid: garmentUuid }), body: imageBody },
  responses: responses(garmentResultSchema, completeGarment, [
    'garment_not_found',
    'garment_changed',
    tooManyWaiting(1000),
    ...pictureProblems,
  ]),
})

const queryRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/query',
  operationId: 'queryGarment',
  summary: "Get a garment's result",
  description:
    'Until `complete` is true, `tag` and `measurements` are null, and the texts are empty. The `ETag` identifies this ' +
    'version of the garment. A correction can send it as `If-Match`.',
  ...gated,
  request: { query: z.object({ uuid: garmentUuid }) },
  responses: responses(garmentResultSchema, completeGarment, ['garment_not_found']),
})

const imageUrlProblems: MoreProblems = (body, c) =>
  imageProblems(body, { settings: settingsOf(c.env), ownOrigin: new URL(c.req.url).origin })

export const garmentRoutes = createRouter()
  .openapi(
    uploadRoute,
    async (c) => {
      const upload = c.req.valid('json')
      c.set('uuid', upload.uuid)
      await acceptUpload({ env: c.env, db: c.var.db }, c.var.tenantId, upload, new URL(c.req.url).origin, Date.now())
      return ok(c, {})
    },
    rejectRequest(Object.keys(uploadSchema.shape), imageUrlProblems),
  )
  .openapi(imageRoute, async (c) => {
    const { url, kind = null } = c.req.valid('json')
    return await answerImage(c, { uuid: c.req.valid('query').uuid, added: url, kind })
  })
  .openapi(queryRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    const { tenantId, bookmark } = c.var
    const { garment, from } = await getNearGarment(c.var.db, { tenantId, uuid, bookmark })
    c.header('ETag', garmentVersion(garment))
    c.header('Server-Timing', `db;desc="${from}"`)
    return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
  })

const message = 'The garment was deleted.'

const deleteRoute = createRoute({
  method: 'delete',
  path: '/garment-tagging/garment',
  operationId: 'deleteGarment',
  summary: 'Delete a garment',
  description:
    'In any state. Its annotated picture, its uploaded file and its deliveries are removed, and it counts no ' +
    'longer against the quotas. A later upload of its uuid is a new garment. A garment in the bin of the dashboard is ' +
    'not found: its deletion is undone, or becomes permanent, there.',
  ...gated,
  request: { query: z.object({ uuid: garmentUuid }) },
  responses: responses(messageSchema, { message }, ['garment_not_found']),
})

export const deletionRoutes = createRouter().openapi(deleteRoute, async (c) => {
  const { uuid } = c.req.valid('query')
  c.set('uuid', uuid)
  const { tenantId } = c.var
  const deps = {
    db: c.var.db,
    pictures: c.env.PICTURES,
    taggingQueue: c.env.TAGGING_QUEUE,
    webhookQueue: c.env.WEBHOOK_QUEUE,
  }
  await deleteGarment(deps, tenantId, uuid, Date.now(), byKey(c.var.apiKeyId))
  return ok(c, { message })
})

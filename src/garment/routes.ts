import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter, rejectRequest, type MoreProblems } from '../http/router.ts'
import { imageProblem, maxImageBytes } from '../outbound/fetch-image.ts'
import { fileTooLarge, lengthRequired, malformedForm, notMultipart } from '../http/multipart.ts'
import { formatNames } from '../vision/image/formats.ts'
import { quotaExceeded } from '../quota/errors.ts'
import { settingsOf } from '../settings.ts'
import { acceptUpload } from './accept-upload.ts'
import { pictureKey } from './annotated-picture.ts'
import { garmentNotFound, tooManyWaiting, unsupportedFile, uuidConflict } from './errors/garment-errors.ts'
import { formUpload, uploadForm } from './file/upload-form.ts'
import { completeGarment } from './examples.ts'
import { garmentResultSchema, garmentUuid, uploadSchema } from './fields.ts'
import { findPicture } from './picture/find-picture.ts'
import { pictureRoute } from './picture/picture-route.ts'
import { servePicture } from './picture/serve-picture.ts'
import { getGarment } from './get-garment.ts'
import { garmentVersion, toGarmentResponse } from './to-garment-response.ts'

const tags = ['Garments']

const uploadBody = jsonRequest(uploadSchema, {
  uuid: '12345',
  image_url: 'https://example.com/shirt.jpg',
  attribute: { Brand: 'Ann', Gender: "Men's", Material: 'Cotton' },
})
// Not in the expression: the types of the route know one content only.
Object.assign(uploadBody.content, { 'multipart/form-data': uploadForm })

const uploadRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/upload',
  operationId: 'uploadGarment',
  summary: "Upload a garment's picture",
  description:
    'The garment is tagged in the background, usually within a second. Once this has answered 200, it is tagged or ends ' +
    '`failed` with a reason. The same content again under the same uuid changes nothing; a failed garment is tagged again. ' +
    `The picture is a ${formatNames}. As \`multipart/form-data\` it takes a file in place of \`image_url\`.`,
  tags,
  security: byApiKey,
  middleware: [tenantGate, formUpload, jsonBody] as const,
  request: {
    body: uploadBody,
  },
  responses: responses(z.object({}), {}, [
    uuidConflict([
      'image_url: this uuid has the image "https://example.com/other.jpg"; DELETE /garment-tagging/garment?uuid= removes it, or use another uuid',
      'attribute.Brand: this uuid has "Ann"; PATCH /garment-tagging/garment?uuid= changes it',
    ]),
    tooManyWaiting(1000),
    quotaExceeded('garments', 200_000),
    quotaExceeded('text_bytes', 200_000_000),
    quotaExceeded('files', 50_000),
    lengthRequired(),
    malformedForm(),
    fileTooLarge(maxImageBytes),
    notMultipart(),
    unsupportedFile(formatNames, undefined),
  ]),
})

const queryRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/query',
  operationId: 'queryGarment',
  summary: "Get a garment's result",
  description:
    'Until `complete` is true, `tag` and `measurements` are null and the texts are empty. ' +
    'The `ETag` names this version of the result, for `If-Match` of a correction.',
  tags,
  security: byApiKey,
  middleware: [tenantGate] as const,
  request: { query: z.object({ uuid: garmentUuid }) },
  responses: responses(garmentResultSchema, completeGarment, [garmentNotFound()]),
})

const annotatedRoute = pictureRoute({
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getAnnotatedPicture',
  summary: 'Get an annotated picture',
  description:
    'The address in `annotated_img`. It needs no credentials, cannot be guessed and may be cached for a year.',
  contentTypes: ['image/jpeg'],
})

const imageUrlProblems: MoreProblems = ({ image_url: url }, c) => {
  const policy = { settings: settingsOf(c.env), ownOrigin: new URL(c.req.url).origin }
  const problem = typeof url === 'string' ? imageProblem(url, policy) : null
  return problem === null ? [] : [`image_url: ${problem}`]
}

export const garmentRoutes = createRouter()
  .openapi(
    uploadRoute,
    async (c) => {
      const upload = c.req.valid('json')
      c.set('uuid', upload.uuid)
      await acceptUpload(c.env, c.var.tenantId, upload, new URL(c.req.url).origin, Date.now())
      return ok(c, {})
    },
    rejectRequest(Object.keys(uploadSchema.shape), imageUrlProblems),
  )
  .openapi(queryRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    const garment = await getGarment(tenantDatabase(c.env, c.var.tenantId), c.var.tenantId, uuid)
    c.header('ETag', await garmentVersion(garment))
    return ok(c, toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL))
  })

garmentRoutes.openAPIRegistry.registerPath(annotatedRoute)
garmentRoutes.get(annotatedRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId } = c.req.param()
  const find = async (etag: string | undefined) =>
    await findPicture(c.env, tenantId, pictureId, { keyOf: pictureKey, etag })
  return await servePicture(c, find)
})

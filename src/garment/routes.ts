import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { createRouter } from '../http/router.ts'
import { acceptUpload } from './accept-upload.ts'
import { garmentResultSchema, garmentUuid, uploadSchema } from './fields.ts'
import { getGarment } from './get-garment.ts'
import { findPicture } from './find-picture.ts'
import { garmentResult } from './result.ts'

const uploadRoute = createRoute({
  method: 'post',
  path: '/garment-tagging/upload',
  middleware: [tenantGate, jsonBody] as const,
  request: { body: jsonRequest(uploadSchema) },
  responses: responses(z.object({}), {
    400: 'An invalid field',
    401: 'Unauthorized',
    409: 'The uuid is taken by other content',
    429: 'Too many requests',
  }),
})

const queryRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/query',
  middleware: [tenantGate] as const,
  request: { query: z.object({ uuid: garmentUuid }) },
  responses: responses(garmentResultSchema, {
    401: 'Unauthorized',
    404: 'Garment not found',
    429: 'Too many requests',
  }),
})

export const garmentRoutes = createRouter()
  .openapi(uploadRoute, async (c) => {
    const upload = c.req.valid('json')
    c.set('uuid', upload.uuid)
    await acceptUpload(c.env, c.var.tenantId, upload, new URL(c.req.url).origin, Date.now())
    return ok(c, {})
  })
  .openapi(queryRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    const garment = await getGarment(openDatabase(c.env.DB), c.var.tenantId, uuid)
    return ok(c, garmentResult(garment, settingsOf(c.env).PUBLIC_URL))
  })

garmentRoutes.get('/garment-tagging/annotated/:tenantId/:pictureId', async (c) => {
  const { tenantId, pictureId } = c.req.param()
  const picture = await findPicture(c.env, tenantId, pictureId, c.req.header('If-None-Match'))
  if (picture === null) throw new ApiError(404, 'Not found', ['There is no such picture.'])
  const headers = new Headers({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    ETag: picture.httpEtag,
  })
  picture.writeHttpMetadata(headers)
  for (const [name, value] of headers) c.header(name, value)
  return 'body' in picture ? c.body(picture.body) : c.body(null, 304)
})

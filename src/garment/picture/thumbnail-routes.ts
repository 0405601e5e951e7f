import { createRoute, z } from '@hono/zod-openapi'
import { failureResponses } from '../../http/envelope.ts'
import { byAnyone } from '../../http/openapi/security.ts'
import { createRouter } from '../../http/router.ts'
import { pictureNotFound } from '../errors/garment-errors.ts'
import { findThumbnail } from './find-thumbnail.ts'
import { servePicture } from './serve-picture.ts'

const thumbnailRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail',
  operationId: 'getThumbnail',
  summary: 'Get a small copy of an annotated picture',
  description:
    'For lists: a JPEG of at most 160 pixels on the longest edge, under the address in `annotated_img` with `/thumbnail` ' +
    'behind it. It is made when it is first asked for, and kept as long as the picture.',
  tags: ['Garments'],
  security: byAnyone,
  request: {
    params: z.object({
      tenantId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a8058' }),
      pictureId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a805a' }),
    }),
  },
  responses: {
    200: {
      description: 'The picture',
      headers: { ETag: { schema: { type: 'string' }, description: 'For `If-None-Match`.' } },
      content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } },
    },
    304: { description: 'Not changed since `If-None-Match`' },
    ...failureResponses([pictureNotFound()]),
  },
})

/** Small copies of annotated pictures. */
export const thumbnailRoutes = createRouter()

thumbnailRoutes.openAPIRegistry.registerPath(thumbnailRoute)
thumbnailRoutes.get(thumbnailRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId } = c.req.param()
  return await servePicture(c, async (etag) => await findThumbnail(c.env, tenantId, pictureId, etag))
})

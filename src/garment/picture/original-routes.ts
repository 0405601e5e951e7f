import { createRoute, z } from '@hono/zod-openapi'
import { failureResponses } from '../../http/envelope.ts'
import { byAnyone } from '../../http/openapi/security.ts'
import { createRouter } from '../../http/router.ts'
import { eraseMetadata } from '../../vision/image/metadata/erase-metadata.ts'
import { pictureNotFound } from '../errors/garment-errors.ts'
import { fileKey } from '../uploaded-file.ts'
import { findPicture } from './find-picture.ts'
import { servePicture } from './serve-picture.ts'

const originalRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/original/{tenantId}/{fileId}',
  operationId: 'getOriginalPicture',
  summary: 'Get an uploaded picture',
  description:
    'The address in `original_img` of an export, for shops. It needs no credentials, cannot be guessed and may be cached for a ' +
    'year. What the camera wrote into the file (place, time, device) is left out.',
  tags: ['Garments'],
  security: byAnyone,
  request: {
    params: z.object({
      tenantId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a8058' }),
      fileId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a805b' }),
    }),
  },
  responses: {
    200: {
      description: 'The picture',
      headers: { ETag: { schema: { type: 'string' }, description: 'For `If-None-Match`.' } },
      content: Object.fromEntries(
        ['image/jpeg', 'image/png', 'image/webp'].map((type) => [
          type,
          { schema: { type: 'string', format: 'binary' } },
        ]),
      ),
    },
    304: { description: 'Not changed since `If-None-Match`' },
    ...failureResponses([pictureNotFound()]),
  },
})

/** The originals of files that were uploaded from a device. */
export const originalRoutes = createRouter()

originalRoutes.openAPIRegistry.registerPath(originalRoute)
originalRoutes.get(originalRoute.getRoutingPath(), async (c) => {
  const { tenantId, fileId } = c.req.param()
  const find = async (etag: string | undefined) => await findPicture(c.env, tenantId, fileId, { keyOf: fileKey, etag })
  return await servePicture(c, find, eraseMetadata)
})

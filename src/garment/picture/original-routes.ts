import { createRouter } from '../../http/router.ts'
import { contentTypes } from '../../vision/image/formats.ts'
import { eraseMetadata } from '../../vision/image/metadata/erase-metadata.ts'
import { fileKey } from '../uploaded-file.ts'
import { findPicture } from './find-picture.ts'
import { pictureRoute } from './picture-route.ts'
import { servePicture } from './serve-picture.ts'

const originalRoute = pictureRoute({
  path: '/garment-tagging/original/{tenantId}/{fileId}',
  id: 'fileId',
  operationId: 'getOriginalPicture',
  summary: 'Get an uploaded picture',
  description:
    'The address in `original_img` of an export, for shops. It needs no credentials, cannot be guessed and may be cached for a ' +
    'year. What the camera wrote into the file (place, time, device) is left out.',
  contentTypes,
})

/** The originals of files that were uploaded from a device. */
export const originalRoutes = createRouter()

originalRoutes.openAPIRegistry.registerPath(originalRoute)
originalRoutes.get(originalRoute.getRoutingPath(), async (c) => {
  const { tenantId, fileId } = c.req.param()
  const find = async (etag: string | undefined) => await findPicture(c.env, tenantId, fileId, { keyOf: fileKey, etag })
  return await servePicture(c, find, eraseMetadata)
})

import { createRouter } from '../../http/router.ts'
import { findThumbnail } from './find-thumbnail.ts'
import { pictureRoute } from './picture-route.ts'
import { servePicture } from './serve-picture.ts'

const thumbnailRoute = pictureRoute({
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail',
  id: 'pictureId',
  operationId: 'getThumbnail',
  summary: 'Get a small copy of an annotated picture',
  description:
    'For lists: a JPEG of at most 160 pixels on the longest edge, under the address in `annotated_img` with `/thumbnail` ' +
    'behind it. It is made when it is first asked for, and kept as long as the picture.',
  contentTypes: ['image/jpeg'],
})

/** Small copies of annotated pictures. */
export const thumbnailRoutes = createRouter()

thumbnailRoutes.openAPIRegistry.registerPath(thumbnailRoute)
thumbnailRoutes.get(thumbnailRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId } = c.req.param()
  return await servePicture(c, async (etag) => await findThumbnail(c.env, tenantId, pictureId, etag))
})

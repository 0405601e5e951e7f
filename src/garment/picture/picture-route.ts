import { createRoute, z } from '@hono/zod-openapi'
import { failureResponses } from '../../http/envelope.ts'
import { byAnyone } from '../../http/openapi/security.ts'
import { pictureNotFound } from '../errors/garment-errors.ts'

const exampleIds = {
  pictureId: '01890a5d-ac96-774b-bcce-b302099a805a',
  fileId: '01890a5d-ac96-774b-bcce-b302099a805b',
}

interface PictureRoute<Path extends string> {
  /** With the parameters `tenantId` and `id`. */
  readonly path: Path
  readonly id: keyof typeof exampleIds
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly contentTypes: readonly string[]
}

/** A route that anybody gets a picture from, as `servePicture` responds. */
export const pictureRoute = <const Path extends string>({ id, contentTypes, ...route }: PictureRoute<Path>) =>
  createRoute({
    method: 'get',
    ...route,
    tags: ['Garments'],
    security: byAnyone,
    request: {
      params: z.object({
        tenantId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a8058' }),
        [id]: z.string().openapi({ example: exampleIds[id] }),
      }),
    },
    responses: {
      200: {
        description: 'The picture',
        headers: { ETag: { schema: { type: 'string' }, description: 'For `If-None-Match`.' } },
        content: Object.fromEntries(
          contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
      304: { description: 'Not changed since `If-None-Match`' },
      ...failureResponses([pictureNotFound()]),
    },
  })

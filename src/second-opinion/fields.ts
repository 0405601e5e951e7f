import { z } from '@hono/zod-openapi'

/** A tenant's choice. */
export const permissionSchema = z
  .object({
    allowed: z
      .boolean('must be true or false')
      .openapi({ description: 'Whether pictures may be sent to a model of Workers AI.' }),
  })
  .openapi('SecondOpinionChoice')

import { z } from 'zod'

/** Ids only: everything else is read from the database when the garment is claimed. */
export const taggingMessage = z.object({ tenantId: z.string(), uuid: z.string() })

export type TaggingMessage = z.infer<typeof taggingMessage>

import { z } from 'zod'

/** Ids only: everything else is read from the database when the garment is tagged. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  /** Of the upload that the message is about. */
  pictureId: z.string(),
})

export type TaggingMessage = z.infer<typeof taggingMessage>

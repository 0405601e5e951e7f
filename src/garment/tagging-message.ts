import { z } from 'zod'

/** Ids only: everything else is read from the database when the garment is tagged. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  /** Of the upload that the message is about. A message without it is about whatever upload is current. */
  pictureId: z.string().optional(),
})

export type TaggingMessage = z.infer<typeof taggingMessage>

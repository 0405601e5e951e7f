import { z } from 'zod'

/** Ids only: everything else is read from the database when the garment is tagged. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  /**
   * Of the upload that the message is about. Absent in messages from before 2026-11-21, which are about the current
   * upload. Required from 2026-12-21: no queue keeps a message for so long.
   */
  pictureId: z.string().optional(),
})

export type TaggingMessage = z.infer<typeof taggingMessage>

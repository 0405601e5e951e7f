import { and, eq } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { pictures } from '../../platform/db/schema.ts'

interface CutoutSwitch {
  readonly uuid: string
  readonly id: string
  readonly isOff: boolean
}

/** Shows a picture as the photograph or as the cut-out, in lists, in exports and to the API. */
export async function switchCutout(db: Database, tenantId: string, { uuid, id, isOff }: CutoutSwitch): Promise<void> {
  await db
    .update(pictures)
    .set({ cutoutOff: isOff ? 1 : 0 })
    .where(and(eq(pictures.tenantId, tenantId), eq(pictures.garmentUuid, uuid), eq(pictures.id, id)))
}

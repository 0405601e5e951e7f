import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { garments } from '../db/schema.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'

/** Longer than the longest run: 15 s for the image, the wait for other images of the isolate, and the work on it. */
const leaseMs = 180_000

export type ClaimedGarment = typeof garments.$inferSelect & { readonly claimId: string }

/**
 * Takes a queuing garment for one run, or gives null: it has ended, it is gone, or another run has it. A run that
 * loses its lease loses the garment to the sweep, and its `claimId` with it.
 */
export async function claimGarment(db: Database, { tenantId, uuid }: TaggingMessage, now: number) {
  const claimId = newId()
  const [row] = await db
    .update(garments)
    .set({ status: 'processing', tries: sql`tries + 1`, claimId, dueAt: now + leaseMs })
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid), eq(garments.status, 'queuing')))
    .returning()
  return row === undefined ? null : ({ ...row, claimId } satisfies ClaimedGarment)
}

/** Puts a claimed garment back for another try; the sweep looks at it at `dueAt`. */
export async function releaseGarment(db: Database, garment: ClaimedGarment, dueAt: number) {
  await db
    .update(garments)
    .set({ status: 'queuing', claimId: null, dueAt })
    .where(
      and(
        eq(garments.tenantId, garment.tenantId),
        eq(garments.uuid, garment.uuid),
        eq(garments.claimId, garment.claimId),
      ),
    )
}

import type { Database } from '../db/client.ts'
import { retags } from '../db/schema.ts'
import { everyTenant } from '../pause/is-paused.ts'

export interface RetagRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly tenant?: string | undefined
}

/** Tags the complete garments of the range again, in the background. Replaces a range that is still under way. */
export async function startRetag(db: Database, { fromMs, toMs, tenant }: RetagRange): Promise<void> {
  const row = {
    tenantId: tenant ?? everyTenant,
    fromAt: fromMs,
    untilAt: toMs,
    positionTenantId: '',
    positionAt: fromMs,
    positionUuid: '',
    stepSize: 100,
  }
  await db.insert(retags).values(row).onConflictDoUpdate({ target: retags.tenantId, set: row })
}

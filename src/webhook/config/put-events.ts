import { eq } from 'drizzle-orm'
import { recordEntry, type Actor } from '../../audit/record-entry.ts'
import type { Database } from '../../db/client.ts'
import { firstEndpoint, tenantState, webhookConfigs } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { emptyConfig } from './empty-config.ts'
import type { EncryptionKeys } from './encrypt.ts'

/** The events that are sent only on request. */
export interface RequestedEvents {
  readonly corrected: boolean
}

/** Chooses the events of a tenant, which may be before it configures its webhook. Nothing else changes. */
export async function putEvents(
  db: Database,
  keys: EncryptionKeys,
  tenantId: string,
  { corrected }: RequestedEvents,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const row = {
    ...(await emptyConfig(keys, tenantId)),
    tenantId,
    endpoint: firstEndpoint,
    sendsCorrections: corrected,
    endedUntil: null,
    endedReason: '',
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  const subject = corrected ? 'with corrections' : 'without corrections'
  await db.batch([
    db
      .insert(webhookConfigs)
      .select(db.select(selectValues(webhookConfigs, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)))
      .onConflictDoUpdate({ target: webhookConfigs.tenantId, set: { sendsCorrections: corrected } }),
    ...recordEntry(db, { holderId: tenantId, action: 'webhook.events', subject }, { by, at: nowMs }),
  ])
}

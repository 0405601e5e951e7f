import { eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { firstEndpoint, hostedTenants, webhookConfigs } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { encrypt, keyIdOf, type EncryptionKeys } from './encrypt.ts'

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
): Promise<void> {
  const row = {
    tenantId,
    endpoint: firstEndpoint,
    description: '',
    enabled: false,
    url: '',
    secret: null,
    formerSecret: null,
    formerSecretUntil: null,
    headers: await encrypt('{}', keys, tenantId),
    keyId: await keyIdOf(keys.current),
    failingSince: null,
    disabledReason: '',
    sendsCompleted: true,
    sendsFailed: true,
    sendsCorrections: corrected,
    maxPerSecond: null,
    endedUntil: null,
    endedReason: '',
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  await db
    .insert(webhookConfigs)
    .select(
      db.select(selectValues(webhookConfigs, row)).from(hostedTenants).where(eq(hostedTenants.tenantId, tenantId)),
    )
    .onConflictDoUpdate({ target: webhookConfigs.tenantId, set: { sendsCorrections: corrected } })
}

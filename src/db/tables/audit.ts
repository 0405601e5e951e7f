import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Changes by people and API keys. Corrections are not here: each is in its garment, with its author. */
export const auditActions = [
  'member.invited',
  'member.withdrawn',
  'member.joined',
  'member.role',
  'member.removed',
  'password.changed',
  'password.link',
  'password.reset',
  'key.created',
  'key.revoked',
  'tenant.created',
  'tenant.deleted',
  'retention.changed',
  'second-opinion.changed',
  'studio.saved',
  'studio.removed',
  'webhook.changed',
  'webhook.events',
  'endpoint.created',
  'endpoint.changed',
  'endpoint.deleted',
  'account-webhook.changed',
  'account-webhook.deleted',
  'export.defaults',
  'garment.changed',
  'garments.changed',
  'garment.deleted',
  'import.deleted',
] as const

/**
 * A tenant's in its own database; those of people, keys and the tenant itself in the accounts' one. Each is written in
 * the batch of the change. WITHOUT ROWID, which only the migration can declare.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    /** A tenant's id, or a merchant's. */
    holderId: text('holder_id').notNull(),
    at: integer().notNull(),
    id: text().notNull(),
    actorKind: text('actor_kind', { enum: ['member', 'api-key', 'operator'] }).notNull(),
    /** Of the member or the key; empty for the operator. */
    actorId: text('actor_id').notNull(),
    /** The member's name at that time; empty for others. */
    actorName: text('actor_name').notNull(),
    action: text({ enum: auditActions }).notNull(),
    /** What was changed, in a few words. */
    subject: text().notNull(),
    /** Of `garment.changed`, how many changes there were; the subject is that of the last one. */
    count: integer().notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.holderId, t.at, t.id] }), index('audit_entries_by_age').on(t.at)],
)

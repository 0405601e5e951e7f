import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The tables WITHOUT ROWID. drizzle-kit cannot say that, so it is not shown this file: they are created in
 * `migrations/0001_without_rowid.sql`, which is written by hand.
 */

/**
 * waiting: stored, not yet uploaded. tagging: uploaded, its garment has not ended. complete, failed: as its garment
 * ended. unchanged: the same garment was there already. refused: rejected, for the reason in `problem`.
 * asking: the garment was changed later than the row was written, so it changes nothing until a person says so.
 */
export const importLineStatuses = [
  'waiting',
  'tagging',
  'complete',
  'failed',
  'unchanged',
  'refused',
  'asking',
] as const

export const importLines = sqliteTable(
  'import_lines',
  {
    tenantId: text('tenant_id').notNull(),
    importId: text('import_id').notNull(),
    /** The line's number in the CSV file, or the image file's in its import. */
    line: integer().notNull(),
    uuid: text().notNull(),
    imageUrl: text('image_url').notNull(),
    /** As in `garments`. */
    images: text().notNull().default(''),
    /** JSON with its keys sorted, so that equal content is equal text. */
    attribute: text().notNull(),
    /** Becomes the garment's when the line is uploaded; names the stored file of an image. */
    pictureId: text('picture_id').notNull(),
    status: text({ enum: importLineStatuses }).notNull(),
    /** Codes and parameters (`imports/line-problem.ts`); empty where there is none. */
    problem: text().notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.importId, t.line] }),
    index('import_lines_by_status').on(t.tenantId, t.importId, t.status, t.line),
  ],
)

/** The sizes of all stored image files, so that their bytes can be counted off when they are removed. */
export const storedFiles = sqliteTable(
  'stored_files',
  {
    tenantId: text('tenant_id').notNull(),
    pictureId: text('picture_id').notNull(),
    bytes: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.pictureId] })],
)

export const attemptTriggers = ['automatic', 'manual'] as const

/** One row less is written for each attempt than with a rowid. */
export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    tenantId: text('tenant_id').notNull(),
    /** Unlike numbers of rows, ids are never used again. */
    deliveryId: text('delivery_id').notNull(),
    /** From 1. */
    attempt: integer().notNull(),
    at: integer().notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** 0 where no HTTP answer came. */
    responseStatus: integer('response_status').notNull(),
    /** As `lastError`. */
    error: text().notNull(),
    /** The first KiB of the answer; empty once it has been erased. */
    responseBody: text('response_body').notNull(),
    trigger: text({ enum: attemptTriggers }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.deliveryId, t.attempt] })],
)

/** The last complete export of each format, so that the next one can contain only what is new since. */
export const lastExports = sqliteTable(
  'last_exports',
  {
    tenantId: text('tenant_id').notNull(),
    format: text().notNull(),
    exportedAt: integer('exported_at').notNull(),
    /** JSON of the uuids that were in the file although they had only just ended. */
    recent: text().notNull(),
    /** JSON of the uuids that were left out, because they lacked something. */
    leftOut: text('left_out').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.format] })],
)

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
  'member.changed',
  'tenant.changed',
  'garment.corrected',
  'retention.changed',
  'second-opinion.changed',
  'studio.saved',
  'studio.removed',
  'webhook.changed',
  'webhook.events',
  'endpoint.created',
  'endpoint.changed',
  'endpoint.deleted',
  'export.defaults',
  'export.file',
  'garment.changed',
  'garments.changed',
  'garments.undone',
  'garment.binned',
  'garment.restored',
  'garment.deleted',
  'import.binned',
  'import.restored',
  'import.deleted',
] as const

/**
 * A tenant's in its own database; those of people, keys and the tenant itself in the accounts' one. Each is written in
 * the batch of the change.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    /** A tenant's id, or a merchant's. */
    holderId: text('holder_id').notNull(),
    at: integer().notNull(),
    id: text().notNull(),
    actorKind: text('actor_kind', { enum: ['member', 'api-key', 'operator'] }).notNull(),
    /** The member's or the key's id; empty for the operator. */
    actorId: text('actor_id').notNull(),
    /** The member's name at that time; empty for others. */
    actorName: text('actor_name').notNull(),
    action: text({ enum: auditActions }).notNull(),
    /** What was changed, in a few words. */
    subject: text().notNull(),
    /** How many changes there were within an hour; the subject is that of the last one. */
    count: integer().notNull().default(1),
    /** The import that made the changes, which can be undone by it; null of any other. */
    importId: text('import_id'),
  },
  (t) => [primaryKey({ columns: [t.holderId, t.at, t.id] }), index('audit_entries_by_age').on(t.at)],
)

/** Events of API keys, in the accounts' database, until the sweep has carried them to their tenants' endpoints. */
export const waitingEvents = sqliteTable('waiting_events', {
  /** Derived from the event, so that the same event is stored once. */
  id: text().primaryKey(),
  tenantId: text('tenant_id').notNull(),
  /** JSON. */
  body: text().notNull(),
})

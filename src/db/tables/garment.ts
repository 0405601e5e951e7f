import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const garmentStatuses = ['queuing', 'processing', 'complete', 'failed'] as const

/**
 * Has a rowid: WITHOUT one, what of a row is above 1,002 bytes would take a page of its own. The generated columns of
 * `facets` and their indexes are declared in the migration only, so that reading a whole row does not compute them.
 */
export const garments = sqliteTable(
  'garments',
  {
    tenantId: text('tenant_id').notNull(),
    uuid: text().notNull(),
    imageUrl: text('image_url').notNull(),
    /** JSON with its keys sorted, so that equal content is equal text. */
    attribute: text().notNull(),
    /** Of the upload; annotated_img is built on it where no PUBLIC_URL is set. */
    origin: text().notNull(),
    status: text({ enum: garmentStatuses }).notNull(),
    /** Runs begun since the upload. */
    tries: integer().notNull().default(0),
    /** A new id for each run, so that a run that lost its lease writes nothing. */
    claimId: text('claim_id'),
    /** End of the lease of the run that has claimed it. */
    leaseUntil: integer('lease_until'),
    /**
     * Its place in the tenant's line, or when the sweep enqueues it again (`garment/turns/turns.ts`); null once it has
     * ended.
     */
    dueAt: integer('due_at'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
    /** Code and parameters: see `stored-text.ts`. While queuing, of the latest try (`garment/errors/retry.ts`). */
    failureReason: text('failure_reason').notNull().default(''),
    /** Unguessable name of the annotated picture in storage and address. New with each upload and result. */
    pictureId: text('picture_id').notNull(),
    tag: text({ mode: 'json' }),
    measurements: text({ mode: 'json' }),
    /** JSON of the corrected and confirmed values. The tag and the measurements stay as predicted. */
    corrections: text(),
    /** JSON of the latest changes of `attribute` (`correction/rules/attribute-changes.ts`); null before the first. */
    attributeChanges: text('attribute_changes'),
    /** How many of the reviewed attributes are expected to be wrong, in levels (`garment/doubt.ts`). */
    doubt: integer().notNull().default(0),
    /** The dashboard session that reviews the garment until `reviewUntil`; nobody else is shown it before then. */
    reviewSession: text('review_session'),
    reviewUntil: integer('review_until'),
    description: text().notNull().default(''),
    /** JSON of how the picture shows the garment, notes, probabilities and the tagger's version. */
    details: text({ mode: 'json' }),
  },
  (t) => [
    uniqueIndex('garments_by_uuid').on(t.tenantId, t.uuid),
    // Each garment is in one of these two, so that its row and one entry are all that an upload or an ending writes.
    index('garments_active')
      .on(t.tenantId, t.dueAt, t.uuid)
      .where(sql`due_at IS NOT NULL`),
    index('garments_ended')
      .on(t.tenantId, t.status, t.createdAt, t.uuid)
      .where(sql`ended_at IS NOT NULL`),
  ],
)

/**
 * Generated columns for indexes: the corrected value, otherwise the predicted one, computed from `tag` and
 * `corrections`. Those without a value are empty.
 */
export const facets = {
  itemType: sql<string>`item_type`,
  colour: sql<string>`colour`,
  brand: sql<string>`brand`,
  /** 1 if a person changed a value. */
  corrected: sql<number>`corrected`,
  /** Not generated; here because lists are sorted by it too. */
  doubt: sql<number>`doubt`,
}

/** What a tenant stores, by the names of the columns that count it. Of each, `max_` is the most that it may have. */
export const quotaNames = ['garments', 'import_lines', 'text_bytes', 'files', 'file_bytes'] as const

/** A bit for each quota whose use is above this percentage. */
const usedMask = (percent: number) =>
  quotaNames
    .map((name, bit) => `(max_${name} > 0 AND ${name} * 100 >= max_${name} * ${percent}) * ${2 ** bit}`)
    .join(' + ')

/** The quotas that are nearly reached, and those that still count as that, so that each is reported once. */
export const nearQuotas = sql.raw(`(${usedMask(90)})`)
export const highQuotas = sql.raw(`(${usedMask(80)})`)

/** That not all of them were reported yet, or that one that was is no longer high. For the index. */
export const hasUnreportedQuota = sql`((${nearQuotas} & ~reported_quotas) | (reported_quotas & ~${highQuotas})) <> 0`

/**
 * How many garments of a tenant have not ended, and how many ended on the last day (UTC) on which any did. Those of
 * earlier days are in `daily_counts`. Also what the tenant has stored, which its quotas limit. In one row, because each
 * row that is written for every garment costs. Written in the batch that changes what it counts.
 */
export const tenantCounters = sqliteTable(
  'tenant_counters',
  {
    tenantId: text('tenant_id').primaryKey(),
    waiting: integer().notNull(),
    /** The setting at the time of the last upload, so that a constraint can hold the limit. */
    maxWaiting: integer('max_waiting').notNull(),
    /** `2026-11-21`; empty before the first ending. */
    day: text().notNull().default(''),
    complete: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** Each with the setting at the time of the last addition. */
    maxGarments: integer('max_garments').notNull().default(0),
    garments: integer().notNull().default(0),
    maxImportLines: integer('max_import_lines').notNull().default(0),
    importLines: integer('import_lines').notNull().default(0),
    /** Of what the tenant sent of garments and lines. */
    maxTextBytes: integer('max_text_bytes').notNull().default(0),
    textBytes: integer('text_bytes').notNull().default(0),
    maxFiles: integer('max_files').notNull().default(0),
    files: integer().notNull().default(0),
    maxFileBytes: integer('max_file_bytes').notNull().default(0),
    fileBytes: integer('file_bytes').notNull().default(0),
    /** The quotas that were reported to the account's webhook, as a bit mask. */
    reportedQuotas: integer('reported_quotas').notNull().default(0),
    /** JSON of the garments whose turn it is, as `garment/turns/turns.ts` says. */
    turns: text().notNull().default('[]'),
  },
  (t) => [
    check('waiting_limit', sql`${t.waiting} <= ${t.maxWaiting}`),
    check('quota_garments', sql`${t.garments} <= ${t.maxGarments}`),
    check('quota_import_lines', sql`${t.importLines} <= ${t.maxImportLines}`),
    check('quota_text_bytes', sql`${t.textBytes} <= ${t.maxTextBytes}`),
    check('quota_files', sql`${t.files} <= ${t.maxFiles}`),
    check('quota_file_bytes', sql`${t.fileBytes} <= ${t.maxFileBytes}`),
    index('tenant_counters_unreported').on(t.tenantId).where(hasUnreportedQuota),
  ],
)

/** Annotated pictures that no garment refers to, or that a run may yet put to use. The sweep removes them. */
export const unusedPictures = sqliteTable(
  'unused_pictures',
  {
    pictureId: text('picture_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    removeAt: integer('remove_at').notNull(),
  },
  (t) => [index('unused_pictures_due').on(t.removeAt)],
)

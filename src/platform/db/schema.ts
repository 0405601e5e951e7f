import {
  check,
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'

/** Times are milliseconds since the epoch. JSON columns are parsed by zod where they are read. */

/** SQLite uses a partial index only for queries that repeat its condition without parameters. */
const partialIndex = (name: string, where: SQL, ...columns: [SQLiteColumn, ...SQLiteColumn[]]) =>
  index(name)
    .on(...columns)
    .where(where)

/** Deleted tenants and accounts whose data is still being removed in the background. */
export const tenantPurges = sqliteTable(
  'tenant_purges',
  {
    tenantId: text('tenant_id').primaryKey(),
    requestedAt: integer('requested_at').notNull(),
    nextAt: integer('next_at').notNull().default(0),
  },
  (t) => [index('tenant_purges_due').on(t.nextAt)],
)

/** Kinds of daily counts. `deletion` counts started deliveries of `garment.deleted`. */
export const dailyCountKinds = [
  'complete',
  'failed',
  'delivered',
  'permanently_failed',
  'deletion',
  'import_line',
] as const

/** Counts of each day (UTC), so that pages need not count rows. */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    tenantId: text('tenant_id').notNull(),
    /** `2026-11-21` */
    day: text().notNull(),
    kind: text({ enum: dailyCountKinds }).notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.kind] })],
)

/** Accounts. `members` contains their people. */
export const merchants = sqliteTable(
  'merchants',
  {
    id: text().primaryKey(),
    company: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** True once a member has signed in or a tenant was created. Other accounts are removed after 30 days. */
    isConfirmed: integer('is_confirmed', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [partialIndex('merchants_unconfirmed', sql`is_confirmed = 0`, t.createdAt)],
)

/** Dashboard sessions that were signed out early. A row is kept until its session would have expired. */
export const endedSessions = sqliteTable(
  'ended_sessions',
  {
    id: text().primaryKey(),
    memberId: text('member_id').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('ended_sessions_by_member').on(t.memberId)],
)

/** A tenant's account. All other data of the tenant is in the database that its id names (`databases.ts`). */
export const tenants = sqliteTable('tenants', {
  id: text().primaryKey(),
  merchantId: text('merchant_id')
    .notNull()
    .unique()
    .references(() => merchants.id),
  /** Lower case. */
  domain: text().notNull().unique(),
  name: text().notNull(),
  description: text().notNull(),
  settings: text({ mode: 'json' }).notNull(),
  /** True once the domain's Durable Object has read the keys. */
  hasGate: integer('has_gate', { mode: 'boolean' }).notNull().default(false),
  /** Requests per minute that the operator set for this tenant; null for the service-wide limit. */
  rateLimitPerMinute: integer('rate_limit_per_minute'),
  createdAt: integer('created_at').notNull(),
})

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text().notNull(),
    /** The first characters of the key, to tell keys apart; the key itself is not stored. */
    prefix: text().notNull(),
    /** Hex SHA-256 of the key. */
    hash: text().notNull().unique(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('api_keys_by_tenant').on(t.tenantId, t.createdAt)],
)

/** Studios with a fixed camera. */
export const studios = sqliteTable(
  'studios',
  {
    tenantId: text('tenant_id').notNull(),
    name: text().notNull(),
    cmPerPixel: real('cm_per_pixel').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.name] })],
)

export const garmentStatuses = ['queuing', 'processing', 'complete', 'failed'] as const

const garmentColumns = {
  tenantId: text('tenant_id').notNull(),
  uuid: text().notNull(),
  /** Stock number: counted up within the tenant from 1, and never reused. People read it as `G-1042`. */
  number: integer().notNull(),
  /** JSON object of the client's attributes. Its keys are sorted, so that equal content is equal text. */
  attribute: text().notNull(),
  /** The bytes of uuid, pictures and attributes that count against the tenant's quota. */
  rowBytes: integer('row_bytes').notNull(),
  /** Size of the stored crops that prove what the labels say. It counts like uploaded files. */
  cropBytes: integer('crop_bytes').notNull().default(0),
  /** Scheme and host of the upload's request. Picture URLs begin with it if PUBLIC_URL is not set. */
  origin: text().notNull(),
  status: text({ enum: garmentStatuses }).notNull(),
  /** Random. Changes with each upload, change of pictures and new result. Queue messages contain it. */
  revision: text().notNull(),
  /** Tagging runs started since the upload. */
  tries: integer().notNull().default(0),
  /** A new id for each run, so that a run that lost its lease writes nothing. */
  claimId: text('claim_id'),
  leaseUntil: integer('lease_until'),
  /** Time at which the garment joined its tenant's backlog. Null without a place or turn (`garments/turns.ts`). */
  queuedAt: integer('queued_at'),
  /** Time at which the sweep enqueues the garment again. Null in the backlog, and if nothing is left to do. */
  dueAt: integer('due_at'),
  createdAt: integer('created_at').notNull(),
  endedAt: integer('ended_at'),
  /** JSON of `code` and `params` (`garments/failure.ts`). While queuing, why the latest try failed. */
  failure: text(),
  /** JSON of what tagging predicted (`garments/stored-result.ts`); null before the first result. */
  result: text(),
  /** JSON of the values that people corrected or confirmed (`garments/corrections/correction.ts`). */
  corrections: text(),
  /** JSON list of the latest changes of `attribute` (`garments/corrections/attributes.ts`). */
  attributeChanges: text('attribute_changes'),
  /** Expected share of wrong values, in thousandths (`garments/review/doubt.ts`). 0 if nobody needs to review them. */
  doubt: integer().notNull().default(0),
  /** The dashboard session that reviews the garment until `reviewUntil`. No other session gets it before then. */
  reviewSession: text('review_session'),
  reviewUntil: integer('review_until'),
  /** Words that searches compare (`garments/list/garment-text.ts`). Null until the garment has ended. */
  searchText: text('search_text'),
  price: real(),
  /** This and the next three columns are null unless the stage is `sold` (`garments/listing-values.ts`). */
  soldAt: integer('sold_at'),
  soldPrice: real('sold_price'),
  soldCurrency: text('sold_currency'),
  soldChannel: text('sold_channel'),
  /**
   * Perceptual hash of the first tagged picture (`vision/picture-hash.ts`). Both numbers have up to 63 bits, so only
   * SQL reads them exactly.
   */
  pictureHash: integer('picture_hash'),
  pictureColours: integer('picture_colours'),
  /** JSON of the shops whose files contained the garment (`garments/export-record.ts`). */
  exports: text(),
  /** The uuid of another garment with the same picture (`garments/duplicates.ts`). */
  sameAs: text('same_as'),
}

/** Whether a garment's search text has the mark of the stage `listed` (`garments/list/search-words.ts`). */
export const isListed = sql`instr(search_text, ' listed#y ') > 0`

export const garments = sqliteTable('garments', garmentColumns, (t) => [
  uniqueIndex('garments_by_uuid').on(t.tenantId, t.uuid),
  uniqueIndex('garments_by_number').on(t.tenantId, t.number),
  // A garment is in at most one of these two indexes. Entries without `due_at` come first, so the backlog is sorted.
  partialIndex('garments_queued', isNotNull(t.queuedAt), t.tenantId, t.dueAt, t.queuedAt, t.uuid),
  partialIndex('garments_retries', sql`queued_at IS NULL AND due_at IS NOT NULL`, t.tenantId, t.dueAt, t.uuid),
  // Contains every column that searches and picture look-ups compare.
  partialIndex(
    'garments_ended',
    isNotNull(t.endedAt),
    t.tenantId,
    t.createdAt,
    t.uuid,
    t.status,
    t.searchText,
    t.price,
    t.pictureHash,
  ),
  // Contains every column that a sum of sales reads.
  partialIndex('garments_sold', isNotNull(t.soldAt), t.tenantId, t.soldAt, t.soldPrice, t.soldCurrency, t.soldChannel),
  partialIndex('garments_listed', isListed, t.tenantId, t.createdAt, t.uuid),
  partialIndex('garments_failed', sql`status = 'failed'`, t.createdAt),
  partialIndex('garments_failed_of_tenant', sql`status = 'failed'`, t.tenantId, t.createdAt, t.uuid),
  partialIndex('garments_by_doubt', sql`doubt <> 0`, t.tenantId, t.doubt, t.createdAt, t.uuid),
])

/**
 * Binned garments, moved here unchanged so that garment queries need no filter. They count against the quotas, and
 * their uuids stay taken.
 */
export const binnedGarments = sqliteTable(
  'binned_garments',
  {
    ...garmentColumns,
    /** Time at which the sweep removes the garment. 0 while it is being removed, when it can no longer be restored. */
    removeAt: integer('remove_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.uuid] }),
    index('binned_garments_of_tenant').on(t.tenantId, t.removeAt, t.uuid),
    index('binned_garments_due').on(t.removeAt),
  ],
)

/** Stock numbers printed on blank labels and not yet used by a garment. */
export const reservedNumbers = sqliteTable(
  'reserved_numbers',
  {
    tenantId: text('tenant_id').notNull(),
    number: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.number] })],
)

/** Pictures of garments and of binned garments. */
export const pictures = sqliteTable(
  'pictures',
  {
    tenantId: text('tenant_id').notNull(),
    /** 64 random bits. No unique index, which would cost two written rows for each picture. */
    id: text().notNull(),
    garmentUuid: text('garment_uuid').notNull(),
    /** Order within the garment, from 0. */
    position: integer().notNull(),
    /** The client's kind. Null if the client named none. */
    kind: text(),
    /** Null if the picture was uploaded as a file. */
    url: text(),
    /** This and the next two columns are null if the picture has a URL. */
    fileId: text('file_id'),
    /** SHA-256 of the file. */
    fileDigest: text('file_digest'),
    fileName: text('file_name'),
    /** 0, 90, 180 or 270 degrees clockwise, after EXIF. Null until a person or tagging chose it. */
    rotation: integer(),
    /** Unguessable id of the stored copy, which exists once the picture was tagged. */
    copyId: text('copy_id').notNull(),
    /** This and the next columns hold the result of tagging (`garments/pictures/garment-picture.ts`). */
    predictedKind: text('predicted_kind'),
    role: text({ enum: ['listed', 'tagged', 'measured'] }),
    hasCutout: integer('has_cutout', { mode: 'boolean' }).notNull().default(false),
    /** True if a person prefers the photograph to the cut-out. */
    cutoutOff: integer('cutout_off', { mode: 'boolean' }).notNull().default(false),
    /** Same form as a garment's failure. */
    failure: text(),
    width: integer(),
    height: integer(),
  },
  (t) => [index('pictures_by_garment').on(t.tenantId, t.garmentUuid, t.position)],
)

/** Quotas of a tenant, named like their columns in `tenant_counters`. */
export const quotaNames = ['garments', 'import_lines', 'row_bytes', 'files', 'file_bytes'] as const

/** A quota is reported when this percentage is used. */
export const nearPercent = 90
/** A quota can be reported again after its use has fallen below this percentage. */
export const highPercent = 80

const isUsed = (name: string, percent: number) => `(max_${name} > 0 AND ${name} * 100 >= max_${name} * ${percent})`

/** True if a quota is nearly used up but unreported, or reported but no longer high. Indexed. */
export const hasUnreportedQuota = sql.raw(
  quotaNames
    .map(
      (name) =>
        `(CASE WHEN reported_${name} THEN NOT ${isUsed(name, highPercent)} ELSE ${isUsed(name, nearPercent)} END)`,
    )
    .join(' OR '),
)

/** Counts of a tenant's unfinished garments and stored amounts. Each is written in the batch of the counted change. */
export const tenantCounters = sqliteTable(
  'tenant_counters',
  {
    tenantId: text('tenant_id').primaryKey(),
    waiting: integer().notNull(),
    /** The setting at the latest upload, which a constraint enforces. */
    maxWaiting: integer('max_waiting').notNull(),
    /** Columns `max_…` contain the limits at the latest addition. */
    maxGarments: integer('max_garments').notNull().default(0),
    garments: integer().notNull().default(0),
    maxImportLines: integer('max_import_lines').notNull().default(0),
    importLines: integer('import_lines').notNull().default(0),
    /** Bytes of the tenant's rows (`platform/db/count-rows.ts`). */
    maxRowBytes: integer('max_row_bytes').notNull().default(0),
    rowBytes: integer('row_bytes').notNull().default(0),
    /** True while `max_row_bytes` is raised, because the service had to store rows above the limit. */
    isOverQuota: integer('is_over_quota', { mode: 'boolean' }).notNull().default(false),
    /** The day (UTC) on which `grown_bytes` were added. */
    grownDay: text('grown_day').notNull().default(''),
    grownBytes: integer('grown_bytes').notNull().default(0),
    /** Highest stock number used or reserved so far. */
    lastNumber: integer('last_number').notNull().default(0),
    maxFiles: integer('max_files').notNull().default(0),
    files: integer().notNull().default(0),
    maxFileBytes: integer('max_file_bytes').notNull().default(0),
    fileBytes: integer('file_bytes').notNull().default(0),
    /** True if `quota.nearly_reached` was sent. */
    reportedGarments: integer('reported_garments', { mode: 'boolean' }).notNull().default(false),
    reportedImportLines: integer('reported_import_lines', { mode: 'boolean' }).notNull().default(false),
    reportedRowBytes: integer('reported_row_bytes', { mode: 'boolean' }).notNull().default(false),
    reportedFiles: integer('reported_files', { mode: 'boolean' }).notNull().default(false),
    reportedFileBytes: integer('reported_file_bytes', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    check('waiting_limit', lte(t.waiting, t.maxWaiting)),
    check('quota_garments', lte(t.garments, t.maxGarments)),
    check('quota_import_lines', lte(t.importLines, t.maxImportLines)),
    check('quota_row_bytes', lte(t.rowBytes, t.maxRowBytes)),
    check('quota_files', lte(t.files, t.maxFiles)),
    check('quota_file_bytes', lte(t.fileBytes, t.maxFileBytes)),
    partialIndex('tenant_counters_unreported', hasUnreportedQuota, t.tenantId),
    partialIndex('tenant_counters_over_quota', sql`is_over_quota`, t.tenantId),
  ],
)

/** Pictures of garments in the bin, which their public URLs must not show. */
export const hiddenPictures = sqliteTable(
  'hidden_pictures',
  {
    /** The storage key of a copy, a label's crop or an uploaded file. Cut-outs have the key of their copy. */
    key: text().primaryKey(),
    tenantId: text('tenant_id').notNull(),
    garmentUuid: text('garment_uuid').notNull(),
  },
  (t) => [index('hidden_pictures_by_garment').on(t.tenantId, t.garmentUuid)],
)

/** Stored copies without a picture, and copies of a run that has not ended. The sweep removes them. */
export const unusedCopies = sqliteTable(
  'unused_copies',
  {
    copyId: text('copy_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    removeAt: integer('remove_at').notNull(),
  },
  (t) => [index('unused_copies_due').on(t.removeAt)],
)

/** The tenants whose data this database contains. A row is stored before the tenant's account and removed after it. */
export const tenantState = sqliteTable(
  'tenant_state',
  {
    tenantId: text('tenant_id').primaryKey(),
    /** Copy of the tenant's domain, for events about the account. */
    domain: text().notNull(),
    /** Null unless the tenant chose a shorter retention than the operator. */
    retentionDays: integer('retention_days'),
    expiryCheckAt: integer('expiry_check_at').notNull().default(0),
    /** JSON list of the reviewed attributes. Null for the default (`garments/review/doubt.ts`). */
    reviewAttributes: text('review_attributes'),
    /** The uuid updated last after a change of `reviewAttributes`. Null once all garments are updated. */
    reviewPosition: text('review_position'),
    /** JSON of the limits that the operator set for this tenant, by quota name. */
    limits: text(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('tenant_state_by_expiry_check').on(t.expiryCheckAt),
    partialIndex('tenant_state_review', isNotNull(t.reviewPosition), t.tenantId),
  ],
)

/** Default values of a tenant's exports; JSON. */
export const exportDefaults = sqliteTable('export_defaults', {
  tenantId: text('tenant_id').primaryKey(),
  defaults: text().notNull(),
  /** JSON of the tenant's own files, their columns by their names (`exports/own-files.ts`). */
  files: text().notNull().default('{}'),
})

/** Garments that a merchant uploads together: the rows of a CSV file, or image files. */
export const imports = sqliteTable(
  'imports',
  {
    tenantId: text('tenant_id').notNull(),
    id: text().notNull(),
    /** The file's name, or the name shown on the page. */
    name: text().notNull(),
    /** Scheme and host of the request, for the new garments. */
    origin: text().notNull(),
    paused: integer({ mode: 'boolean' }).notNull().default(false),
    /** Lines by status, so that no page counts rows. Written in the batch that changes the lines. */
    waiting: integer().notNull().default(0),
    tagging: integer().notNull().default(0),
    complete: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    asking: integer().notNull().default(0),
    unmatched: integer().notNull().default(0),
    /** True if rows overwrite changes that are newer than the file. */
    overwrites: integer({ mode: 'boolean' }).notNull().default(false),
    /** Lines that changed an existing garment. */
    edits: integer().notNull().default(0),
    /** Description of these changes in the audit log. */
    summary: text().notNull().default(''),
    /** The import whose changes this import undoes. */
    undoes: text(),
    /** Files that the page announced. Some may never arrive. */
    expectedFiles: integer('expected_files').notNull().default(0),
    /** JSON of the author, for the histories of changed garments. */
    madeBy: text('made_by'),
    createdAt: integer('created_at').notNull(),
    /** Null until all lines are stored, and if the service crashed meanwhile. */
    storedAt: integer('stored_at'),
    /** Null while any line is unfinished. */
    endedAt: integer('ended_at'),
    /** Time at which the sweep removes a binned import. Null outside the bin. */
    removeAt: integer('remove_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('imports_by_tenant').on(t.tenantId, t.createdAt, t.id),
    partialIndex('imports_storing', isNull(t.storedAt), t.createdAt),
    partialIndex('imports_binned', isNotNull(t.removeAt), t.tenantId, t.removeAt),
    partialIndex('imports_binned_due', isNotNull(t.removeAt), t.removeAt),
    partialIndex('imports_open', isNull(t.endedAt), t.tenantId, t.createdAt),
  ],
)

/** Uploaded files without a garment. A row is stored before its file, so that the sweep can remove every lost file. */
export const unreferencedFiles = sqliteTable(
  'unreferenced_files',
  {
    tenantId: text('tenant_id').notNull(),
    fileId: text('file_id').notNull(),
    /** 0 once the sweep has begun to remove the file, which then can no longer be used. */
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.fileId] }), index('unreferenced_files_by_age').on(t.since)],
)

/** Work that the operator has paused. Every database has a copy, so that pauses are read with the work. */
export const pauses = sqliteTable('pauses', {
  /** Id of the tenant, or empty for all tenants. */
  tenantId: text('tenant_id').primaryKey(),
  tagging: integer({ mode: 'boolean' }).notNull().default(false),
  deliveries: integer({ mode: 'boolean' }).notNull().default(false),
  changedAt: integer('changed_at').notNull(),
})

/** Numbers of messages that a queue gave up on. Their work stays due. */
export const deadLetters = sqliteTable('dead_letters', {
  queue: text({ enum: ['tagging', 'deliveries'] }).primaryKey(),
  count: integer().notNull(),
  lastAt: integer('last_at').notNull(),
})

/** Ranges of this database's garments that are being tagged again, step by step. */
export const retags = sqliteTable('retags', {
  /** Id of the tenant, or empty for all tenants. */
  tenantId: text('tenant_id').primaryKey(),
  fromAt: integer('from_at').notNull(),
  /** End of the range, exclusive. */
  untilAt: integer('until_at').notNull(),
  /** The garment enqueued last, in the order of tenant and age. */
  positionTenantId: text('position_tenant_id').notNull(),
  positionAt: integer('position_at').notNull(),
  positionUuid: text('position_uuid').notNull(),
  stepSize: integer('step_size').notNull().default(100),
})

/** The state of each database at the end of its last sweep. */
export const databases = sqliteTable('databases', {
  /** 1 is the binding DB, 2 is DB2. */
  number: integer().primaryKey(),
  bytes: integer().notNull(),
  /** Bytes that a tenant may add in a day while the database is nearly full; null otherwise. */
  tenantShare: integer('tenant_share'),
  sweptAt: integer('swept_at').notNull(),
  /** Parts of the sweep that failed. */
  failedParts: text('failed_parts', { mode: 'json' }).$type<readonly string[]>().notNull(),
})

/** Numbers of predicted values that people confirmed or changed. */
export const reviewCounts = sqliteTable(
  'review_counts',
  {
    tenantId: text('tenant_id').notNull(),
    /** Monday (UTC) of the week of the review, such as `2026-11-16`. */
    week: text().notNull(),
    /** JSON of counts by attribute, confidence and outcome. One row per week, because a page reads many weeks. */
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.week] })],
)

/** Roles, fewest rights first. */
export const roles = ['reviewer', 'editor', 'owner'] as const

/** People of an account. The member who created the account has the merchant's id. */
export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    merchantId: text('merchant_id').notNull(),
    role: text({ enum: roles }).notNull(),
    /** The email as given. */
    email: text().notNull(),
    /** The form in which emails are compared (`accounts/email.ts`). */
    emailKey: text('email_key').notNull().unique(),
    name: text().notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Sessions and tokens contain this number, and are valid only while it is unchanged. */
    sessionVersion: integer('session_version').notNull().default(0),
    /** Filters of the garment list, as JSON (`accounts/saved-filters.ts`). Null if the member has saved none. */
    savedFilters: text('saved_filters'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('members_by_merchant').on(t.merchantId, t.createdAt)],
)

/** Links by which somebody joins an account. A row is removed when its link is used. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    merchantId: text('merchant_id').notNull(),
    role: text({ enum: roles }).notNull(),
    /** The invited person, as the owner named them. */
    label: text().notNull(),
    /** Hex SHA-256 of the link's token. */
    hash: text().notNull().unique(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('invitations_by_merchant').on(t.merchantId, t.expiresAt)],
)

/** Codes by which owners set a new password. A row is removed when its code is used or replaced. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    id: text().primaryKey(),
    memberId: text('member_id').notNull(),
    /** Hex SHA-256 of the code. */
    hash: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('recovery_codes_by_member').on(t.memberId)],
)

/** Links to set a new password. A member has at most one: the newest. */
export const passwordResets = sqliteTable('password_resets', {
  memberId: text('member_id').primaryKey(),
  /** Hex SHA-256 of the link's token. */
  hash: text().notNull().unique(),
  expiresAt: integer('expires_at').notNull(),
})

/** Id of the endpoint that `/webhook/config` reads and writes. A tenant with one receiver has only this one. */
export const configEndpointId = 'first'

/** The receivers of tenants. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    tenantId: text('tenant_id').notNull(),
    id: text().notNull(),
    description: text().notNull().default(''),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** Null if not configured, or if the endpoint is deleted but has pending deliveries. */
    url: text(),
    /** Encrypted. */
    secret: text(),
    /** The previous secret, encrypted. It signs beside the new one until `formerSecretUntil`. */
    formerSecret: text('former_secret'),
    formerSecretUntil: integer('former_secret_until'),
    /** JSON, encrypted because headers often contain credentials. Null once the endpoint is deleted. */
    headers: text(),
    /** Id of the key that encrypted this row. */
    keyId: text('key_id'),
    /** Time of the first failure since the last success. Null while deliveries succeed. */
    failingSince: integer('failing_since'),
    /** Why the service disabled the endpoint, in the form of `lastError`. */
    disabledReason: text('disabled_reason'),
    /** Names from `events/catalogue.ts`. */
    events: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    maxPerSecond: integer('max_per_second'),
    /** Pending deliveries that have not changed since this time are not sent. The sweep ends them. */
    endedUntil: integer('ended_until'),
    /** Why those deliveries ended, in the form of `lastError`. */
    endedReason: text('ended_reason'),
    /** Time at which the sweep deletes a temporary endpoint. Null for a permanent one. */
    expiresAt: integer('expires_at'),
    /** Number of changes. A change based on an older row is rejected. */
    revision: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('webhook_endpoints_by_key').on(t.keyId),
    partialIndex('webhook_endpoints_former_secrets', isNotNull(t.formerSecretUntil), t.formerSecretUntil),
    partialIndex('webhook_endpoints_ended', isNotNull(t.endedUntil), t.endedUntil),
    partialIndex('webhook_endpoints_expiring', isNotNull(t.expiresAt), t.expiresAt),
    partialIndex('webhook_endpoints_disabled', isNotNull(t.disabledReason), t.tenantId),
  ],
)

export const deliveryStatuses = ['pending', 'delivered', 'permanently_failed'] as const

/** Kinds of deliveries. A garment has at most one delivery of each kind to each endpoint. */
export const deliveryKinds = ['tagging', 'correction', 'review', 'stage', 'deletion', 'account'] as const

export const deliveries = sqliteTable(
  'deliveries',
  {
    /** Sent to receivers as `X-Delivery-ID`. */
    id: text().primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The garment's uuid; for kind `account`, the id of the event. */
    garmentUuid: text('garment_uuid').notNull(),
    kind: text({ enum: deliveryKinds }).notNull(),
    endpointId: text('endpoint_id').notNull(),
    /** JSON body of a delivery of kind `account`. For other kinds, each attempt builds the body from the garment. */
    body: text(),
    /** The origin at which the service was called for a deleted garment; null if the garment's row has it. */
    origin: text(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    lastAttemptAt: integer('last_attempt_at'),
    nextAttemptAt: integer('next_attempt_at'),
    /** JSON of the error's code and parameters (`events/delivery-error.ts`). */
    lastError: text('last_error'),
    /** HTTP status of the last response. */
    responseStatus: integer('response_status'),
    /** Id of the run that makes the attempt. Only that run may record its outcome. */
    claimId: text('claim_id'),
    leaseUntil: integer('lease_until'),
    /** Claims since the last recorded attempt, limited so that a delivery cannot crash the service forever. */
    claims: integer().notNull().default(0),
    /** The status before a manual redelivery, until its attempt is recorded. */
    redeliveredFrom: text('redelivered_from', { enum: deliveryStatuses }),
    /** Time at which the sweep enqueues the delivery again. Null once it has ended. */
    dueAt: integer('due_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('deliveries_by_garment').on(t.tenantId, t.garmentUuid, t.kind, t.endpointId),
    index('deliveries_by_time').on(t.tenantId, t.createdAt, t.id),
    // Read by lists of one status. Lists of delivered deliveries filter all of them, because most are delivered.
    partialIndex('deliveries_undelivered', sql`status <> 'delivered'`, t.tenantId, t.status, t.createdAt, t.id),
    partialIndex('deliveries_failed', sql`status = 'permanently_failed'`, t.createdAt),
    // Ordered by tenant and endpoint first, so that the sweep can give each endpoint its share.
    partialIndex('deliveries_due', isNotNull(t.dueAt), t.tenantId, t.endpointId, t.dueAt),
    partialIndex('deliveries_without_garment', sql`kind IN ('deletion', 'account')`, t.tenantId, t.createdAt),
  ],
)

export const attemptTriggers = ['automatic', 'manual'] as const

/** The latest attempts of each delivery. */
export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    tenantId: text('tenant_id').notNull(),
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** From 1. */
    attempt: integer().notNull(),
    at: integer().notNull(),
    durationMs: integer('duration_ms').notNull(),
    responseStatus: integer('response_status'),
    /** In the form of `lastError`. */
    error: text(),
    /** First KiB of the response body. Null if it was empty, and after 7 days. */
    responseBody: text('response_body'),
    trigger: text({ enum: attemptTriggers }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.deliveryId, t.attempt] }),
    partialIndex('delivery_attempts_with_answer', isNotNull(t.responseBody), t.tenantId, t.at),
  ],
)

/** The last redelivery of a time range of each tenant, in progress or ended. */
export const rangeRedeliveries = sqliteTable(
  'range_redeliveries',
  {
    tenantId: text('tenant_id').primaryKey(),
    /** Only deliveries to this endpoint are sent again. Null for all endpoints. */
    endpointId: text('endpoint_id'),
    /** Only deliveries of this status are sent again. Null for all ended deliveries. */
    status: text({ enum: ['delivered', 'permanently_failed'] }),
    fromAt: integer('from_at').notNull(),
    /** End of the range, exclusive. */
    until: integer().notNull(),
    /** Deliveries in the range at the start. Null if counting would take too long. */
    found: integer(),
    redelivered: integer().notNull().default(0),
    /** Creation time of the delivery that was checked last. */
    positionAt: integer('position_at').notNull(),
    positionId: text('position_id').notNull().default(''),
    createdAt: integer('created_at').notNull(),
    /** Time of the next step. Null once the redelivery has ended. */
    nextAt: integer('next_at'),
  },
  (t) => [partialIndex('range_redeliveries_due', isNotNull(t.nextAt), t.nextAt)],
)

/**
 * waiting: stored, not yet uploaded. tagging: uploaded, its garment has not ended. complete, failed: as its garment
 * ended. unchanged: the same garment was there already. refused: rejected, for the reason in `problem`.
 * asking: the garment was changed later than the row was written, so it changes nothing until a person says so.
 * unmatched: no garment or several may be meant, so it waits until a person chooses.
 */
export const importLineStatuses = [
  'waiting',
  'tagging',
  'complete',
  'failed',
  'unchanged',
  'refused',
  'asking',
  'unmatched',
] as const

export const importLines = sqliteTable(
  'import_lines',
  {
    tenantId: text('tenant_id').notNull(),
    importId: text('import_id').notNull(),
    /** Number of the line in the CSV file, or of the image file in its import. */
    line: integer().notNull(),
    uuid: text().notNull(),
    /** JSON list of pictures (`formatGiven`). Null if the line changes an existing garment. */
    pictures: text(),
    /** Same form as a garment's attributes. */
    attribute: text().notNull(),
    /** The reserved stock number that the line names for its new garment; null for the next number. */
    number: integer(),
    /** The bytes of uuid, pictures and attributes that count against the tenant's quota. */
    rowBytes: integer('row_bytes').notNull(),
    /** Becomes the garment's revision when the line is uploaded. */
    revision: text().notNull(),
    status: text({ enum: importLineStatuses }).notNull(),
    /** Problems as codes and parameters (`import-line-problem.ts`), or empty. */
    problem: text().notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.importId, t.line] }),
    index('import_lines_by_status').on(t.tenantId, t.importId, t.status, t.line),
  ],
)

/** Sizes of uploaded files, to subtract them from the quota when the files are removed. */
export const storedFiles = sqliteTable(
  'stored_files',
  {
    tenantId: text('tenant_id').notNull(),
    fileId: text('file_id').notNull(),
    bytes: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.fileId] })],
)

/** The last complete export of each format, after which only newer garments can be exported. */
export const lastExports = sqliteTable(
  'last_exports',
  {
    tenantId: text('tenant_id').notNull(),
    format: text().notNull(),
    exportedAt: integer('exported_at').notNull(),
    /** JSON list of uuids in the file that had only just ended. */
    recent: text().notNull(),
    /** JSON list of uuids that were left out, because a required value was missing. */
    leftOut: text('left_out').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.format] })],
)

/** Changes in the audit log. Corrections are stored in their garments instead. */
export const auditActions = [
  'member.invited',
  'member.withdrawn',
  'member.joined',
  'member.role',
  'member.removed',
  'password.changed',
  'password.link',
  'password.reset',
  'password.codes',
  'password.recovered',
  'key.created',
  'key.revoked',
  'tenant.created',
  'tenant.deleted',
  'member.changed',
  'tenant.changed',
  'tenant.limits',
  'garment.corrected',
  'retention.changed',
  'studio.saved',
  'studio.removed',
  'webhook.changed',
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
 * A tenant's database has the entries about its data. The accounts database has those about people, keys and the tenant
 * itself. Each entry is written in the batch of its change.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    /** Id of the tenant or merchant. */
    holderId: text('holder_id').notNull(),
    at: integer().notNull(),
    id: text().notNull(),
    actorKind: text('actor_kind', { enum: ['member', 'api-key', 'operator', 'visitor'] }).notNull(),
    /** Id of the member or API key. Empty for others. */
    actorId: text('actor_id').notNull(),
    /** Name of the member at that time. Empty for others. */
    actorName: text('actor_name').notNull(),
    action: text({ enum: auditActions }).notNull(),
    subject: text().notNull(),
    /** Number of changes within an hour. `subject` describes the last one. */
    count: integer().notNull().default(1),
    /** The import that made the changes and through which they can be undone. */
    importId: text('import_id'),
  },
  (t) => [primaryKey({ columns: [t.holderId, t.at, t.id] }), index('audit_entries_by_age').on(t.at)],
)

/** Events about API keys, in the accounts database until the sweep has sent them to their tenants' endpoints. */
export const waitingEvents = sqliteTable('waiting_events', {
  /** Derived from the event, so that the same event is stored once. */
  id: text().primaryKey(),
  tenantId: text('tenant_id').notNull(),
  /** JSON. */
  body: text().notNull(),
})

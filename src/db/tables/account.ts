import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Times are integers, milliseconds since the epoch. */

/** Accounts. Their people are `members`. */
export const merchants = sqliteTable('merchants', {
  id: text().primaryKey(),
  company: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** Dashboard sessions that were signed out before their end; a row is needed until then. */
export const endedSessions = sqliteTable(
  'ended_sessions',
  {
    id: text().primaryKey(),
    memberId: text('member_id').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('ended_sessions_by_member').on(t.memberId)],
)

/** Each tenant's other data is in the database that its id names (`database-number.ts`), under `tenant_state`. */
export const tenants = sqliteTable('tenants', {
  id: text().primaryKey(),
  merchantId: text('merchant_id')
    .notNull()
    .unique()
    .references(() => merchants.id),
  /** In lower case. */
  domain: text().notNull().unique(),
  name: text().notNull(),
  description: text().notNull(),
  settings: text({ mode: 'json' }).notNull(),
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

/** Centimetres to a pixel of an uploaded picture, for a studio whose camera does not move. */
export const studios = sqliteTable(
  'studios',
  {
    tenantId: text('tenant_id').notNull(),
    name: text().notNull(),
    cmPerPixel: real('cm_per_pixel').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.name] })],
)

/** How many second opinions all tenants together asked for in a month (UTC), and what they cost. */
export const opinionMonths = sqliteTable('opinion_months', {
  /** `2026-11` */
  month: text().primaryKey(),
  asked: integer().notNull(),
  answered: integer().notNull(),
  dollars: real().notNull(),
})

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Events for an account's webhook, in the accounts' database. Each has a delivery with its id as `garmentUuid`. WITHOUT
 * ROWID, which only the migration can declare.
 */
export const accountEvents = sqliteTable(
  'account_events',
  {
    merchantId: text('merchant_id').notNull(),
    /** Derived from the event, so that the same event is stored once. */
    id: text().notNull(),
    event: text().notNull(),
    /** JSON of the event's body, without its name and time. */
    data: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('account_events_by_merchant').on(t.merchantId, t.at),
    index('account_events_by_age').on(t.at),
  ],
)

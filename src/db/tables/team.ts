import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** From the one who may do least to the one who may do everything. */
export const roles = ['reviewer', 'editor', 'owner'] as const

/** The people of an account. Who registered it has the id of the merchant. */
export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    merchantId: text('merchant_id').notNull(),
    role: text({ enum: roles }).notNull(),
    /** Trimmed and in lower case: compared case-insensitively. */
    email: text().notNull().unique(),
    name: text().notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Sessions and tokens carry it and are valid only while it is the same. */
    sessionVersion: integer('session_version').notNull().default(0),
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
    /** Whom it is for, in the owner's words. */
    label: text().notNull(),
    /** Hex SHA-256 of the link's token. */
    hash: text().notNull().unique(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('invitations_by_merchant').on(t.merchantId, t.expiresAt)],
)

/** Links by which a member sets a new password: one for each, and the newest only. */
export const passwordResets = sqliteTable('password_resets', {
  memberId: text('member_id').primaryKey(),
  /** Hex SHA-256 of the link's token. */
  hash: text().notNull().unique(),
  expiresAt: integer('expires_at').notNull(),
})

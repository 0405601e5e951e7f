import { eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { rangeRedeliveries } from '../../db/schema.ts'

export type RangeRedelivery = typeof rangeRedeliveries.$inferSelect

/** The query of a tenant's redelivery of a time range that is in progress, for a batch. */
export const rangeRedeliveryQuery = (db: Database, tenantId: string) =>
  db.select().from(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId))

import { and, desc, eq, gte } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'

/** Bounds the rows that an overview reads. */
export const maxSales = 1000

/** Selects the latest sales since a time, newest first. An index has all columns. */
export const salesQuery = (db: Database, tenantId: string, sinceMs: number) =>
  db
    .select({ at: garments.soldAt, price: garments.soldPrice, currency: garments.soldCurrency })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), gte(garments.soldAt, sinceMs)))
    .orderBy(desc(garments.soldAt))
    .limit(maxSales)

const maxDurations = 50

export const soldDurationsQuery = (db: Database, tenantId: string) =>
  db
    .select({ soldAt: garments.soldAt, createdAt: garments.createdAt })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), gte(garments.soldAt, 0)))
    .orderBy(desc(garments.soldAt))
    .limit(maxDurations)

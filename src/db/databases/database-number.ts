import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { newId } from '../ids.ts'

/** The database of the accounts, which holds tenants too. */
export const firstDatabase = 1

const numberedId = /^[\da-f]{8}-[\da-f]{4}-8([\da-f]{3})-/

/**
 * The number of the database that holds everything of a tenant. It is part of the tenant's id, so that finding it costs
 * no call: a UUID of version 8, whose content is free, has it in the three digits after the version. Any other id, also
 * that of version 4 which tenants of the first database have, means the first.
 */
export function databaseNumberOf(tenantId: string): number {
  const digits = numberedId.exec(tenantId)?.[1]
  return digits === undefined ? firstDatabase : Number.parseInt(digits, 16)
}

export function newTenantId(database: number): string {
  const id = newId()
  if (database === firstDatabase) return id
  return `${id.slice(0, 14)}8${digitsOf(database)}${id.slice(18)}`
}

const digitsOf = (database: number) => database.toString(16).padStart(3, '0')

/** The condition that the tenants whose ids a column has are in this database. */
export function isIn(database: number, tenantId: SQLWrapper): SQL {
  const digits = '[0-9a-f]'
  if (database === firstDatabase) return sql`${tenantId} NOT GLOB ${`????????-????-8${digits.repeat(3)}-*`}`
  return sql`${tenantId} GLOB ${`????????-????-8${digitsOf(database)}-*`}`
}

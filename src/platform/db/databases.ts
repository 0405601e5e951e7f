import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, openDatabase, randomLetters } from './database.ts'
import { minuteMs } from '../../time.ts'

/** The database of the accounts, which holds tenants too. */
export const firstDatabase = 1

const numberedId = /^([\da-f]{3}).{13}$/

/**
 * The number of the database that holds everything of a tenant. It is part of the tenant's id, so that finding it costs
 * no call: the first three digits. The id is short, because each row and each entry of an index has it. Any other id
 * means the first database.
 */
export function databaseNumberOf(tenantId: string): number {
  const digits = numberedId.exec(tenantId)?.[1]
  return digits === undefined ? firstDatabase : Number.parseInt(digits, 16)
}

/** With 65 random bits. */
export const newTenantId = (database: number): string => digitsOf(database) + randomLetters(13)

const digitsOf = (database: number) => database.toString(16).padStart(3, '0')

/** The condition that the tenants whose ids a column has are in this database. */
export function isIn(database: number, tenantId: SQLWrapper): SQL {
  const rest = '?'.repeat(13)
  if (database !== firstDatabase) return sql`${tenantId} GLOB ${digitsOf(database) + rest}`
  return sql`(${tenantId} GLOB ${digitsOf(database) + rest} OR ${tenantId} NOT GLOB ${'[0-9a-f]'.repeat(3) + rest})`
}

/** The others are found by their names: DB2, DB3 and so on. */
type DatabaseEnv = Pick<Env, 'DB'>

const bindingName = /^DB(\d{1,4})$/

const isBinding = (value: unknown): value is D1Database =>
  typeof value === 'object' && value !== null && 'prepare' in value

/** The database of the accounts: merchants, tenants, keys and what operators set. */
export const accountDatabase = (env: DatabaseEnv): Database => openDatabase(env.DB)

/** The numbers of all databases. */
export function listDatabases(env: DatabaseEnv): number[] {
  const more = Object.keys(env).flatMap((name) => Number(bindingName.exec(name)?.[1] ?? []))
  return [firstDatabase, ...more.filter((number) => number > firstDatabase).sort((a, b) => a - b)]
}

/** The database with this number; null if there is none. */
export function findDatabase(env: DatabaseEnv, number: number): Database | null {
  if (number === firstDatabase) return openDatabase(env.DB)
  const binding: unknown = Reflect.get(env, `DB${number}`)
  return isBinding(binding) ? openDatabase(binding) : null
}

/** Returns the database of a number. Throws if there is none. */
export function getDatabase(env: DatabaseEnv, number: number): Database {
  const database = findDatabase(env, number)
  if (database === null) throw new Error(`There is no binding DB${number}`)
  return database
}

/** The database that holds everything of a tenant but its account. For ids of our own: throws if there is none. */
export const tenantDatabase = (env: DatabaseEnv, tenantId: string): Database =>
  getDatabase(env, databaseNumberOf(tenantId))

/** The platform's limit, at which every write fails. */
export const maxDatabaseBytes = 10_000_000_000

/** Above this share of its maximum size, a database gets no new tenants, because tenants never move. */
const fullShare = 0.5

/** Above this share of its maximum size, a database is reported to the operator by an error in the log. */
export const alarmShare = 0.7

/** Returns true if a database may get new tenants. The accounts database gets none once there are others. */
export const takesTenants = (number: number, bytes: number, numbers: readonly number[]): boolean =>
  bytes < maxDatabaseBytes * fullShare && (number !== firstDatabase || numbers.length === 1)

/** Above this share, new tenants and those that grew most today add no rows, so that the others can go on. */
export const openShare = 0.8

/** The sweep of each database runs each minute. After this time without one, something is wrong. */
export const maxSweepAgeMs = 3 * minuteMs

import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, openDatabase, randomLetters } from './database.ts'
import { minuteMs } from '../../time.ts'

/** The accounts database, which may also contain tenants' data. */
export const firstDatabase = 1

const numberedId = /^([\da-f]{3}).{13}$/

/** Reads the database's number from the first three hex digits of a tenant's id. Other ids mean the first database. */
export function databaseNumberOf(tenantId: string): number {
  const digits = numberedId.exec(tenantId)?.[1]
  return digits === undefined ? firstDatabase : Number.parseInt(digits, 16)
}

/** The id consists of the database's number and 65 random bits. It is short, because each row contains it. */
export const newTenantId = (database: number): string => digitsOf(database) + randomLetters(13)

const digitsOf = (database: number) => database.toString(16).padStart(3, '0')

/** Returns the condition that a tenant's data is in this database. */
export function isIn(database: number, tenantId: SQLWrapper): SQL {
  const rest = '?'.repeat(13)
  if (database !== firstDatabase) return sql`${tenantId} GLOB ${digitsOf(database) + rest}`
  return sql`(${tenantId} GLOB ${digitsOf(database) + rest} OR ${tenantId} NOT GLOB ${'[0-9a-f]'.repeat(3) + rest})`
}

/** Further databases are the bindings DB2, DB3 and so on. */
type DatabaseEnv = Pick<Env, 'DB'>

const bindingName = /^DB(\d{1,4})$/

const isBinding = (value: unknown): value is D1Database =>
  typeof value === 'object' && value !== null && 'prepare' in value

/** Returns the database with merchants, tenants, keys and the operator's settings. */
export const accountDatabase = (env: DatabaseEnv): Database => openDatabase(env.DB)

export function listDatabases(env: DatabaseEnv): number[] {
  const more = Object.keys(env).flatMap((name) => Number(bindingName.exec(name)?.[1] ?? []))
  return [firstDatabase, ...more.filter((number) => number > firstDatabase).sort((a, b) => a - b)]
}

/** Returns null if there is no binding for the number. */
export function findDatabase(env: DatabaseEnv, number: number): Database | null {
  if (number === firstDatabase) return openDatabase(env.DB)
  const binding: unknown = Reflect.get(env, `DB${number}`)
  return isBinding(binding) ? openDatabase(binding) : null
}

/** Throws if there is no binding for the number. */
export function getDatabase(env: DatabaseEnv, number: number): Database {
  const database = findDatabase(env, number)
  if (database === null) throw new Error(`There is no binding DB${number}`)
  return database
}

/** Returns the database with all data of a tenant except its account. */
export const tenantDatabase = (env: DatabaseEnv, tenantId: string): Database =>
  getDatabase(env, databaseNumberOf(tenantId))

/** D1's maximum size, at which every write fails. */
export const maxDatabaseBytes = 10_000_000_000

/** Above this share of its maximum size, a database gets no new tenants, because tenants never move. */
const fullShare = 0.5

/** Above this share of its maximum size, a database is reported to the operator by an error in the log. */
export const alarmShare = 0.7

/** Returns true if a database may get new tenants. The accounts database gets none once there are others. */
export const takesTenants = (number: number, bytes: number, numbers: readonly number[]): boolean =>
  bytes < maxDatabaseBytes * fullShare && (number !== firstDatabase || numbers.length === 1)

/** Above this share, a database accepts no rows of new tenants and of those that grew most today. */
export const openShare = 0.8

/** Each database is swept every minute. A longer pause is reported as a fault. */
export const maxSweepAgeMs = 3 * minuteMs

import { openDatabase, type Database } from '../client.ts'
import { databaseNumberOf, firstDatabase } from './database-number.ts'

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
  if (number === firstDatabase) return accountDatabase(env)
  const binding: unknown = Reflect.get(env, `DB${number}`)
  return isBinding(binding) ? openDatabase(binding) : null
}

/** As `findDatabase`; throws if there is none. */
export function getDatabase(env: DatabaseEnv, number: number): Database {
  const database = findDatabase(env, number)
  if (database === null) throw new Error(`There is no binding DB${number}`)
  return database
}

/** The database that holds everything of a tenant but its account. For ids of our own: throws if there is none. */
export const tenantDatabase = (env: DatabaseEnv, tenantId: string): Database =>
  getDatabase(env, databaseNumberOf(tenantId))

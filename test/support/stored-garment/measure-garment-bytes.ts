import { newTenantId } from '../../../src/platform/db/databases.ts'
import { openMemoryDatabase } from '../../bench/tagging/memory-database.ts'
import { deliverGarment, insertReceiver } from './deliver-garment.ts'
import { noLimit, noQuotas } from './no-quotas.ts'

interface Size {
  /** Table or index. */
  readonly name: string
  /** Bytes per garment, in whole pages. */
  readonly bytes: number
  /** Bytes of content per garment. */
  readonly payload: number
}

/** Stores `count` realistic garments with their deliveries and attempts, by the service's own statements. */
export async function measureGarmentBytes(count: number): Promise<{ bytes: number; sizes: readonly Size[] }> {
  const { database, binding } = openMemoryDatabase()
  const tenantId = newTenantId(1)
  await insertReceiver(binding, tenantId)
  const read = () =>
    database
      .prepare(
        `SELECT name, sum(pgsize) AS bytes, sum(payload) AS payload FROM dbstat WHERE name <> 'sqlite_schema' GROUP BY name`,
      )
      .all()
      .map(({ name, bytes, payload }) => ({ name: String(name), bytes: Number(bytes), payload: Number(payload) }))
  const before = new Map(read().map(({ name, bytes }) => [name, bytes]))
  for (let seed = 0; seed < count; seed++)
    await deliverGarment(
      binding,
      { tenantId, uuid: crypto.randomUUID(), nowMs: Date.UTC(2026, 10, 21) + seed, seed },
      { maxWaiting: noLimit, quotas: noQuotas },
    )
  const sizes = read()
    .map(({ name, bytes, payload }) => ({
      name,
      bytes: (bytes - (before.get(name) ?? 0)) / count,
      payload: payload / count,
    }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
  database.close()
  return { bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0), sizes }
}

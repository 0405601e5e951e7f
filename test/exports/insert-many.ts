import { databaseOf } from '../service.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'
import { storedResult } from '../support/stored-result.ts'

/** Garments `g1` to `g<count>`, the lowest number the oldest; every tenth failed, every seventh waits. */
export async function insertMany(tenantId: string, count: number, prefix = 'g') {
  const result = storedResult({ tag: { 'Item Type': 'Skirt', 'Item Type Confidence': 'High' } })
  await insertGarments(databaseOf(tenantId), count, (i) => {
    const status = i % 10 === 0 ? 'failed' : i % 7 === 0 ? 'queuing' : 'complete'
    const [endedAt, dueAt] = status === 'queuing' ? [null, i] : [i, null]
    return { tenantId, uuid: prefix + i, status, createdAt: 1000 + Math.floor(i / 3), endedAt, dueAt, result }
  })
}

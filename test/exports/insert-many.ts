import { databaseOf } from '../service.ts'
import { storedResult } from '../support/stored-result.ts'

/** Garments `g1` to `g<count>`, the lowest number the oldest; every tenth failed, every seventh waits. */
export async function insertMany(tenantId: string, count: number, prefix = 'g') {
  await databaseOf(tenantId)
    .$client.prepare(
      `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at, due_at, result)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT ?2, ?3 || i, (SELECT coalesce(max(number), 0) FROM garments WHERE tenant_id = ?2) + i, 0, '{}', 'https://s.example',
       CASE WHEN i % 10 = 0 THEN 'failed' WHEN i % 7 = 0 THEN 'queuing' ELSE 'complete' END, 'p' || i, 1000 + i / 3,
       iif(i % 7 = 0 AND i % 10 > 0, NULL, i), iif(i % 7 = 0 AND i % 10 > 0, i, NULL), ?4 FROM n`,
    )
    .bind(count, tenantId, prefix, storedResult({ tag: { 'Item Type': 'Skirt', 'Item Type Confidence': 'High' } }))
    .run()
}

import { updateDoubt, updateTexts } from './review/complete-garment.ts'
import { bindings } from '../service.ts'
import { storedResult } from '../support/stored-result.ts'

export const isWaiting = (i: number) => i % 11 === 0

/** Garments of the first database whose brand, type, colour, doubt and corrections depend on their number. */
export async function insertVaried(tenantId: string, count: number): Promise<void> {
  const results = Array.from({ length: count }, (_, index) => {
    const i = index + 1
    return storedResult({
      tag: {
        'Item Type': i % 3 === 0 ? 'Skirt' : 'T-Shirt',
        'Item Type Confidence': 'High',
        Colour: i % 5 === 0 ? 'Navy' : 'Red',
        'Colour Confidence': 'High',
        Pattern: 'Plain',
        'Pattern Confidence': (['High', 'Low', 'Medium', 'Medium'] as const)[i % 4] ?? 'High',
      },
    })
  })
  await bindings.DB.prepare(
    `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, due_at, ended_at, result, corrections)
     SELECT ?2, iif(i % 2, 'g-', 'm-') || i, 100000 + i, 0, iif(i % 11, json_object('Brand', iif(i % 2, 'Bob', 'Ann')), '{}'), 'https://s.example',
       CASE WHEN i % 11 = 0 THEN 'queuing' ELSE 'complete' END, 'p' || i, i / 2, iif(i % 11, NULL, i / 2 + 60), iif(i % 11, i / 2, NULL),
       iif(i % 11, result, NULL), iif(i % 11 AND i % 7 = 0, '{"tag":{"Fit":{"value":"Slim","machine":null,"confidence":null,"at":1,"by":{"kind":"member","id":"s","name":"Ann"}}},"measurements":{}}', NULL)
     FROM (SELECT key + 1 AS i, value AS result FROM json_each(?1))`,
  )
    .bind(JSON.stringify(results), tenantId)
    .run()
  await updateDoubt(tenantId)
  await updateTexts(tenantId)
}

import { updateDoubt, updateTexts } from './review/complete-garment.ts'
import { bindings } from '../service.ts'

export const isWaiting = (i: number) => i % 11 === 0

/** Garments of the first database whose brand, type, colour, doubt and corrections depend on their number. */
export async function insertVaried(tenantId: string, count: number): Promise<void> {
  await bindings.DB.prepare(
    `INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, due_at, ended_at, tag, measurements, corrections)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT ?, iif(i % 2, 'g-', 'm-') || i, 'https://a.example/', '{}', 'https://s.example',
       CASE WHEN i % 11 = 0 THEN 'queuing' ELSE 'complete' END, 'p' || i, i / 2, iif(i % 11, NULL, i / 2 + 60), iif(i % 11, i / 2, NULL),
       iif(i % 11, json_object('Item Type', iif(i % 3, 'T-Shirt', 'Skirt'), 'Colour', iif(i % 5, 'Red', 'Navy'),
         'Brand', iif(i % 2, 'Bob', 'Ann'), 'Pattern Confidence', iif(i % 4, iif(i % 4 = 1, 'Low', 'Medium'), 'High')), NULL),
       '{}', iif(i % 11 AND i % 7 = 0, '{"tag":{"Fit":{"value":"Slim","machine":null,"confidence":null,"at":1,"by":{"kind":"member","id":"s","name":"Ann"}}},"measurements":{},"changed":true}', NULL) FROM n`,
  )
    .bind(count, tenantId)
    .run()
  await updateDoubt(tenantId)
  await updateTexts(tenantId)
}

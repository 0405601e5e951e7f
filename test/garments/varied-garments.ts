import { openDatabase } from '../../src/platform/db/database.ts'
import { updateDoubt, updateTexts } from './review/complete-garment.ts'
import { bindings } from '../service.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'
import { storedResult } from '../support/stored-result.ts'

export const isWaiting = (i: number) => i % 11 === 0

const correctedFit = JSON.stringify({
  tag: {
    Fit: { value: 'Slim', machine: null, confidence: null, at: 1, by: { kind: 'member', id: 's', name: 'Ann' } },
  },
  measurements: {},
})

/** Garments of the first database whose brand, type, colour, doubt and corrections depend on their number. */
export async function insertVaried(tenantId: string, count: number): Promise<void> {
  await insertGarments(openDatabase(bindings.DB), count, (i) => {
    const row = { tenantId, uuid: `${i % 2 === 0 ? 'm' : 'g'}-${i}`, createdAt: Math.floor(i / 2) }
    if (isWaiting(i)) return { ...row, status: 'queuing', endedAt: null, dueAt: row.createdAt + 60 }
    const result = storedResult({
      tag: {
        'Item Type': i % 3 === 0 ? 'Skirt' : 'T-Shirt',
        'Item Type Confidence': 'High',
        Colour: i % 5 === 0 ? 'Navy' : 'Red',
        'Colour Confidence': 'High',
        Pattern: 'Plain',
        'Pattern Confidence': (['High', 'Low', 'Medium', 'Medium'] as const)[i % 4] ?? 'High',
      },
    })
    const attribute = JSON.stringify({ Brand: i % 2 === 0 ? 'Ann' : 'Bob' })
    const corrections = i % 7 === 0 ? correctedFit : null
    return { ...row, endedAt: row.createdAt, attribute, result, corrections }
  })
  await updateDoubt(tenantId)
  await updateTexts(tenantId)
}

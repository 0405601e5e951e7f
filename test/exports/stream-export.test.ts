import { describe, expect, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { type ExportFormat, type StreamedExport, streamExport } from '../../src/exports/stream-export.ts'
import { walkGarments } from '../../src/exports/walk-garments.ts'
import { correctTag, db, insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { countEncoded } from './count-encoded.ts'
import { insertMany } from './insert-many.ts'
import { readRows } from './read-rows.ts'

describe('a streamed export', () => {
  const read = async (tenantId: string, format: ExportFormat, filter: Partial<StreamedExport> = {}) =>
    await new Response(
      await streamExport(
        db,
        tenantId,
        { format, defaults: parseExportDefaults(null, 'EUR'), withIncomplete: true, ...filter },
        { publicUrl: undefined, nowMs: 1_000_000 },
      ),
    ).text()

  it('has every garment once, in each format; those of shops have the complete ones', async () => {
    const tenantId = crypto.randomUUID()
    await insertMany(tenantId, 500)
    const parsed = JSON.parse(await read(tenantId, 'json')) as { uuid: string; status: string }[]
    expect([parsed.length, new Set(parsed.map(({ uuid }) => uuid)).size]).toEqual([500, 500])
    expect((await read(tenantId, 'csv')).split('\r\n')).toHaveLength(502)
    const complete = parsed.filter(({ status }) => status === 'complete').length
    expect(complete).toBeGreaterThan(300)
    for (const format of ['shopify', 'google'] as const)
      expect((await read(tenantId, format)).split('\r\n')).toHaveLength(complete + 2)
    expect((await read(tenantId, 'ebay')).split('\r\n')).toHaveLength(complete + 4)
  })

  async function insertLong(): Promise<string> {
    const tenantId = crypto.randomUUID()
    const attribute = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, 'x'.repeat(512)])))
    for (let i = 0; i < 30; i++) await insertGarment(tenantId, `long ${i}`, { attribute })
    return tenantId
  }

  it('has at most ten garments with long attributes in memory at a time', async () => {
    const steps: number[] = []
    for await (const { length } of walkGarments(db, await insertLong(), {}, undefined)) steps.push(length)
    expect([steps.reduce((sum, length) => sum + length), Math.max(...steps)]).toEqual([30, 10])
  })

  it('lets other requests run while it is written', async () => {
    const tenantId = await insertLong()
    // Reading them yields 8 times, with two timers each, and writing them as often.
    const turns = await countEncoded(async () => void (await read(tenantId, 'json')))
    expect(turns.length).toBeGreaterThan(24)
  })

  it('is filtered by the item type after correction, and may be empty', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a')
    await insertGarment(tenantId, 'b')
    await correctTag(tenantId, 'b', { 'Item Type': 'Shirt' })
    expect(JSON.parse(await read(tenantId, 'json', { itemType: 'Shirt' }))).toMatchObject([{ uuid: 'b' }])
    expect(JSON.parse(await read(tenantId, 'json', { itemType: 'Hat' }))).toEqual([])
  })

  it('is filtered as the list of garments is', async () => {
    const tenantId = crypto.randomUUID()
    const sure = { 'Item Type': 'Skirt', Colour: 'Red', Brand: 'Ann', 'Colour Confidence': 'High' }
    await insertGarment(tenantId, 'a1', { tag: sure })
    await insertGarment(tenantId, 'b1', { tag: { ...machineTag, 'Item Type Confidence': 'Low' } })
    await insertGarment(tenantId, 'a2', { status: 'queuing', endedAt: null, dueAt: 5, result: null })
    await correctTag(tenantId, 'b1', { Colour: 'Black' })
    const uuids = async (filter: Partial<StreamedExport>) =>
      (JSON.parse(await read(tenantId, 'json', filter)) as { uuid: string }[]).map(({ uuid }) => uuid)
    expect(await uuids({ search: 'a' })).toEqual(['a1', 'a2'])
    expect(await uuids({ brand: 'Ann' })).toEqual(['a1'])
    expect(await uuids({ colour: 'Black' })).toEqual(['b1'])
    expect(await uuids({ corrected: true })).toEqual(['b1'])
    expect(await uuids({ doubtful: true })).toEqual(['b1'])
    expect(await uuids({ status: 'waiting' })).toEqual(['a2'])
  })

  it.each(['constructor', '__proto__', 'toString'])('has no gender for %s', async (gender) => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a', { tag: { 'Item Type': 'Skirt', Gender: gender } })
    const [row] = readRows(await read(tenantId, 'google'))
    expect(row?.['gender']).toBe('')
    expect(await read(tenantId, 'shopify')).not.toMatch(/native code|\[object/)
  })

  it("has the client's own values as columns, and all of its attributes", async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a', { attribute: '{"PRICE":"12.50","Regal":"7"}' })
    expect(readRows(await read(tenantId, 'csv'))).toMatchObject([
      { 'attribute.Price': '12.50', 'attribute.Shelf': '', attribute: '{"PRICE":"12.50","Regal":"7"}' },
    ])
  })
})

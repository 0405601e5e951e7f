import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { exportGarments } from '../../src/garments/list/read-garments.ts'
import { correctTag, db, insertGarment } from '../garments/review/complete-garment.ts'
import { bindings, call, databaseOf, newTenant, raw } from '../service.ts'
import { readExportPage } from '../../src/exports/export-routes.ts'
import { countDatabase } from '../support/count-database.ts'
import { countEncoded } from './count-encoded.ts'
import { insertMany } from './insert-many.ts'

describe('the pages of an export', () => {
  it('contain every garment once, while others are uploaded and tagged', async () => {
    const tenantId = crypto.randomUUID()
    await insertMany(tenantId, 600)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await exportGarments(db, tenantId, { limit: 57, cursor })
      seen.push(...page.rows.map(({ uuid }) => uuid))
      cursor = page.nextCursor ?? undefined
      await insertGarment(tenantId, `new-${seen.length}`, { createdAt: 10_000 + seen.length })
      await bindings.DB.prepare(
        `UPDATE garments SET status = 'complete', queued_at = NULL, due_at = NULL, ended_at = 1 WHERE tenant_id = ?1 AND uuid IN
           (SELECT uuid FROM garments WHERE tenant_id = ?1 AND ended_at IS NULL ORDER BY uuid LIMIT 30)`,
      )
        .bind(tenantId)
        .run()
    } while (cursor !== undefined)
    const old = seen.filter((uuid) => uuid.startsWith('g'))
    expect([old.length, new Set(old).size]).toEqual([600, 600])
  })

  it('end before the midnight in UTC of a date in `to`', async () => {
    const { tenantId, auth } = await newTenant()
    for (const time of ['2026-11-01T00:00:00.000Z', '2026-11-01T23:59:59.999Z', '2026-11-02T00:00:00.000Z'])
      await insertGarment(tenantId, time, { createdAt: Date.parse(time) })
    const { body } = await call('GET', '/garment-tagging/export?from=2026-11-01&to=2026-11-02', auth)
    expect(body.data.garments.map(({ uuid }: { uuid: string }) => uuid)).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-01T23:59:59.999Z',
    ])
  })

  it('are filtered by time and status, and read no more rows than they show', async () => {
    const tenantId = crypto.randomUUID()
    await insertMany(tenantId, 900)
    const { DB, counts } = countDatabase(bindings.DB)
    const filter = { status: 'failed', fromMs: 1100, untilMs: 1200 } as const
    const first = await exportGarments(openDatabase(DB), tenantId, { ...filter, limit: 20 })
    const cursor = first.nextCursor ?? undefined
    const second = await exportGarments(openDatabase(DB), tenantId, { ...filter, limit: 20, cursor })
    expect([first.rows[0]?.uuid, first.rows.length, second.rows.length]).toEqual(['g300', 20, 10])
    expect(second.rows.every(({ status, createdAt }) => status === 'failed' && createdAt < 1200)).toBe(true)
    expect(counts.rowsRead).toBeLessThanOrEqual(2 * 2 * 21)
  })

  it('without a filter read about the rows that they show, however many garments have ended', async () => {
    const tenantId = crypto.randomUUID()
    await insertMany(tenantId, 900)
    await bindings.DB.prepare(
      'UPDATE garments SET queued_at = NULL, due_at = NULL, ended_at = 1 WHERE tenant_id = ? AND created_at > 1020',
    )
      .bind(tenantId)
      .run()
    const { DB, counts } = countDatabase(bindings.DB)
    const first = await exportGarments(openDatabase(DB), tenantId, { limit: 20 })
    const cursor = first.nextCursor ?? undefined
    const second = await exportGarments(openDatabase(DB), tenantId, { limit: 20, cursor })
    expect([first.rows.length, second.rows.length]).toEqual([20, 20])
    expect(counts.rowsRead).toBeLessThanOrEqual(2 * 2 * 40)
  })

  it('are read by many small garments at a time, or by few large ones', async () => {
    const tenantId = crypto.randomUUID()
    // With six, none waits.
    for (const prefix of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) await insertMany(tenantId, 6, prefix)
    const { DB, counts } = countDatabase(databaseOf(tenantId).$client)
    const read = async () => {
      const before = counts.statements
      const how = { publicUrl: undefined, toText: JSON.stringify }
      const { rows } = await readExportPage(openDatabase(DB), tenantId, { limit: 60 }, how)
      expect(rows.length).toBe(60)
      return counts.statements - before
    }
    expect(await read()).toBe(2)
    const attribute = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`Name ${i}`, 'x'.repeat(512)]))
    await databaseOf(tenantId)
      .$client.prepare('UPDATE garments SET attribute = ? WHERE tenant_id = ?')
      .bind(JSON.stringify(attribute), tenantId)
      .run()
    expect(await read()).toBeGreaterThanOrEqual(6)
  })
})

describe('GET /garment-tagging/export', () => {
  it("gives a page of garments with the machine's values beside the corrected ones, and where to go on", async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'a', { attribute: '{"Size":"M"}' })
    await insertGarment(tenantId, 'b', { createdAt: 2000 })
    await correctTag(tenantId, 'a', { Colour: 'Black' })
    const { body } = await call('GET', '/garment-tagging/export?limit=1', auth)
    expect(body.data.garments).toMatchObject([
      {
        uuid: 'a',
        tag: { Colour: 'Black' },
        machine: { tag: { Colour: 'Navy' } },
        corrected: ['Colour'],
        attribute: { Size: 'M' },
        created_at: '1970-01-01T00:00:01.000Z',
      },
    ])
    const next = await call('GET', `/garment-tagging/export?cursor=${body.data.next_cursor}`, auth)
    expect(next.body.data).toMatchObject({ garments: [{ uuid: 'b' }], next_cursor: null })
  })

  it.each(['json', 'csv'])(
    'gives no more than 4 MiB as %s, and comes to every garment all the same',
    async (format) => {
      const { tenantId, auth } = await newTenant()
      const long = 'ж'.repeat(512)
      const attribute = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`Name ${i}`, long])))
      // In CSV the attributes are in one cell, quotes doubled.
      const values = { attribute, description: format === 'csv' ? long.repeat(50) : '' }
      for (let i = 0; i < 90; i++) await insertGarment(tenantId, `g${i}`, { createdAt: 1000 + i, ...values })
      const seen: string[] = []
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const path = `/garment-tagging/export?format=${format}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const response = await raw('GET', path, auth)
        const text = await response.text()
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(4.2 * 1024 * 1024)
        seen.push(...(text.match(/(?<=^|"uuid":")g\d+/gm) ?? []))
        const next = format === 'csv' ? (response.headers.get('link') ?? '') : text.slice(-200)
        cursor = /(?:"next_cursor":"|cursor=)([^">&]+)/.exec(next)?.[1]
      }
      expect([seen.length, new Set(seen).size]).toEqual([90, 90])
    },
  )

  it.each(['json', 'csv'])('yields as %s after each 100,000 characters that it encodes', async (format) => {
    const { tenantId, auth } = await newTenant()
    const long = 'ж'.repeat(512)
    const attribute = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`Name ${i}`, long])))
    for (let i = 0; i < 30; i++) await insertGarment(tenantId, `g${i}`, { createdAt: 1000 + i, attribute })
    const turns = await countEncoded(
      async () => void (await raw('GET', `/garment-tagging/export?format=${format}`, auth)),
    )
    expect(turns.reduce((sum, turn) => sum + turn, 0)).toBeGreaterThan(30 * attribute.length)
    expect(Math.max(...turns)).toBeLessThan(100_000 + 2 * attribute.length)
  })

  it('gives CSV with the address of the next page in Link', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'a,"ä"', { tag: { 'Item Type': 'Skirt', Brand: '=cmd()' } })
    await insertGarment(tenantId, 'b', { createdAt: 2000 })
    const response = await raw('GET', '/garment-tagging/export?format=csv&limit=1', auth)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header = '', line = '', rest] = (await response.text()).split('\r\n')
    expect(header).toMatch(
      /^uuid,exported_at,status,.*,number,image_url,.*,Colour,Colour Confidence,Machine Colour,.*,Chest \(cm\),Machine Chest \(cm\)/,
    )
    expect(line).toMatch(/^"a,""ä""",[^,]*,complete,.*,G-\d+,/)
    expect(line).toContain("'=cmd()")
    expect(rest).toBe('')
    const [, next = ''] = /^<http:\/\/service\.test(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
    const last = await raw('GET', next, auth)
    expect([(await last.text()).split('\r\n')[1]?.slice(0, 2), last.headers.get('link')]).toEqual(['b,', null])
  })

  it.each(['format=xml', 'from=yesterday', 'status=done', 'limit=1001', 'cursor=x'])('refuses %s', async (query) => {
    const { auth } = await newTenant()
    const { status, body } = await call('GET', `/garment-tagging/export?${query}`, auth)
    expect([status, body.error[0]?.split(':')[0]]).toEqual([400, query.split('=')[0]])
  })
})

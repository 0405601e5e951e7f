import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readCsvTable } from '../platform/csv/read-csv-table.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type RunningService } from '../support/start-service.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-import-'))
const operatorToken = 'for tests only, for tests only, for tests only'
const vars = { RATE_LIMIT_PER_MINUTE: '1000', MAX_WAITING_GARMENTS: '20000', OPERATOR_TOKEN: operatorToken }
const lineCount = 3000

let service: RunningService
let port: number
const start = async () => (service = await startService({ port, persistTo, vars }))

beforeAll(async () => {
  port = await freePort()
  await start()
})

afterAll(async () => {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
})

async function signIn(credentials: { readonly email: string; readonly password: string }) {
  const response = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: service.url },
    body: new URLSearchParams(credentials),
  })
  return { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', Origin: service.url }
}

it('imports thousands of lines without losing or repeating any, although the process is killed twice', async () => {
  const { credentials, tenant } = await createMerchant(service.url, 'Import')
  const session = await signIn(credentials)
  // Nothing is tagged, so the test takes no longer than the import.
  await fetch(`${service.url}/operator/pause`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tagging: true }),
  })
  const rows = Array.from({ length: lineCount }, (_, i) => `sku-${i},http://127.0.0.1:9/${i}.jpg,Acme,Women's`)
  const form = new FormData()
  form.append('file', new File([`uuid,image_url,Brand,Gender\n${rows.join('\n')}`], 'stock.csv'))
  const stored = await fetch(`${service.url}/dashboard/imports`, {
    method: 'POST',
    redirect: 'manual',
    headers: session,
    body: form,
  })
  expect(stored.status).toBe(303)

  const report = async () => {
    const response = await fetch(`${service.url}${stored.headers.get('location')}/report.csv`, { headers: session })
    const { rows } = readCsvTable(await response.text(), { maxRows: 20_000, maxColumns: 10, maxRowLength: 3000 })
    return rows.map(({ values }) => ({ uuid: values['uuid'], status: values['import_status'] }))
  }
  // A report of all lines would take as long as the import.
  const id = new URL(stored.headers.get('location') ?? '', service.url).pathname.split('/').at(-1)
  const waitUntilAtMost = async (waiting: number) =>
    await vi.waitFor(
      async () => {
        const { totals } = await tenant.expectSuccess('GET', `/garment-tagging/import?id=${id}&limit=1`)
        if (totals.waiting > waiting) throw new Error(`${totals.waiting} lines are waiting`)
      },
      { timeout: 300_000, interval: 100 },
    )
  for (const waiting of [2400, 1200]) {
    await waitUntilAtMost(waiting)
    await service.kill()
    await start()
  }
  await waitUntilAtMost(0)

  // A line uploaded twice would be `unchanged` the second time.
  const lines = await report()
  expect(lines.filter(({ status }) => status === 'tagging').length).toBe(lineCount)
  const exported = new Set<string>()
  let garments = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/garment-tagging/export?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page = await tenant.expectSuccess('GET', path)
    for (const { uuid } of page.garments) exported.add(uuid)
    garments += page.garments.length
    cursor = page.next_cursor
  }
  expect([garments, exported.size]).toEqual([lineCount, lineCount])
})

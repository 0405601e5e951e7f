import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type RunningService } from '../support/start-service.ts'
import { workerdMemory } from '../support/workerd-memory.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const count = 20_000
const maxGrowthBytes = 40e6

let service: RunningService

beforeAll(async () => {
  // The pictures of the uploads are not there, and their next try comes after the test.
  const vars = { RATE_LIMIT_PER_MINUTE: '6000', TAGGING_RETRY_DELAYS: '3600,3600,3600,3600' }
  service = await startService({ port: await freePort(), persistTo, vars, startTimeoutMs: 240_000 })
}, 250_000)

afterAll(async () => {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
})

/** Stores garments with results of the usual size, directly in the service's database. */
function insertGarments(domain: string): void {
  const path = globSync(join(persistTo, 'v3/d1/**/*.sqlite')).find((file) => !file.includes('metadata'))
  if (path === undefined) throw new Error('The database of the service was not found')
  const attributes = ['Item Type', 'Colour', 'Pattern', 'Sleeve', 'Fit', 'Closure', 'Fabric Type']
  const tag = Object.fromEntries(
    attributes.flatMap((name) => [
      [name, 'Long Sleeve T-Shirt'],
      [`${name} Alternatives`, ['T-Shirt', 'Sweatshirt', 'Polo Shirt']],
      [`${name} Confidence`, 'Medium'],
    ]),
  )
  const measurements = { 'Chest (cm)': 52, 'Body Length (cm)': 70.5, 'Sleeve Length (cm)': 61, 'Hem (cm)': 50.5 }
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database
    .prepare(
      `INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, tag, measurements, description)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT tenants.id, 'old-' || i, 'https://images.example/' || i, '{"Brand":"Ann","Size":"M"}', 'https://s.example',
         iif(i % 20, 'complete', 'failed'), 'p' || i, 1700000000000 + i / 3, 1700000000000 + i, ?, ?,
         'A long description of a garment that says what its tags say, in two or three sentences.'
       FROM n, tenants WHERE tenants.domain = ?`,
    )
    .run(count, JSON.stringify(tag), JSON.stringify(measurements), domain)
  database.close()
}

async function signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<string> {
  const response = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: service.url },
    body: new URLSearchParams({ email, password }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

it.each(['json', 'csv'])(
  '20,000 garments are exported as %s in constant memory, each once, while uploads go on',
  async (format) => {
    const { client, credentials, domain } = await createMerchant(service.url, `Export ${format}`)
    insertGarments(domain)
    const Cookie = await signIn(credentials)
    const file = async (query: string) =>
      await fetch(`${service.url}/dashboard/export/file?format=${format}${query}`, { headers: { Cookie } })
    // What is loaded and compiled once does not count.
    for (let i = 0; i < 3; i++) await (await file('&from=2023-11-15&to=2023-11-15')).text()
    await client.upload({ uuid: 'first', image_url: 'http://127.0.0.1:9/' })
    const before = workerdMemory(service.group)
    expect(before).toBeGreaterThan(0)

    let [peak, text, uploads, isDone] = [before, '', 0, false]
    const uploading = (async () => {
      while (!isDone && uploads < 100)
        await client.upload({ uuid: `new-${uploads++}`, image_url: 'http://127.0.0.1:9/' })
    })()
    const response = await file('')
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      peak = Math.max(peak, workerdMemory(service.group))
    }
    isDone = true
    await uploading

    const uuids = Array.from(
      text.matchAll(format === 'csv' ? /^(old-\d+),/gm : /"uuid":"(old-\d+)"/g),
      ([, uuid]) => uuid,
    )
    console.log(format, { before, growth: (peak - before) / 1e6, uploads, bytes: text.length })
    expect([uuids.length, new Set(uuids).size]).toEqual([count, count])
    expect(uploads).toBeGreaterThan(1)
    expect(peak - before).toBeLessThan(maxGrowthBytes)
  },
)

/**
 * `node test/bench/export.ts`: how much memory the file of the dashboard's export costs. Fills the database of one
 * tenant with garments, downloads them several times, and prints by how much the processes of the service grew at their
 * peak since the first download began.
 *
 * --garments 20000
 * --format json    or csv, shopify, google, ebay
 * --runs 3         downloads, one after another; the service allows 10 a minute
 * --mb-per-second  limits the speed at which the file is read
 */
import { mkdtempSync, rmSync, globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { completeGarment } from '../../src/garments/garment-example.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { storedResult } from '../support/stored-result.ts'
import { startService } from '../support/start-service.ts'
import { memoryMb, resetPeak, workerdsOf } from './processes.ts'

const { values: options } = parseArgs({
  options: {
    garments: { type: 'string', default: '20000' },
    format: { type: 'string', default: 'json' },
    runs: { type: 'string', default: '3' },
    'mb-per-second': { type: 'string', default: 'Infinity' },
  },
})
const count = Number(options.garments)
const bytesPerMs = Number(options['mb-per-second']) * 1000

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-export-'))
const port = await freePort()
const start = async () => await startService({ port, persistTo })

function insertGarments(tenantId: string): void {
  const [path] = globSync(join(persistTo, 'v3/d1/**/*.sqlite')).filter((file) => !file.endsWith('metadata.sqlite'))
  if (path === undefined) throw new Error('There is no database')
  const file = new DatabaseSync(path)
  file
    .prepare(
      `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at,
         result)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, lower(hex(randomblob(16))), 100000 + i, 0, '{"Brand":"Ann"}',
         'https://service.example', 'complete', lower(hex(randomblob(16))), ?4 + i, ?4 + i, ?3 FROM n`,
    )
    .run(
      tenantId,
      count,
      storedResult({ tag: completeGarment.tag ?? {}, measurements: completeGarment.measurements ?? {} }),
      Date.now() - 10 * count,
    )
  file.close()
}

async function download(fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) {
  const began = performance.now()
  const body = new URLSearchParams({ format: options.format, ...fields })
  const response = await fetch(`${service.url}/dashboard/export/file`, { method: 'POST', headers, body })
  const uuids = new Set<string>()
  let bytes = 0
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [uuid] = /[0-9a-f]{32}/.exec(line) ?? []
      if (uuid !== undefined) uuids.add(uuid)
    }
    const aheadMs = bytes / bytesPerMs - (performance.now() - began)
    if (aheadMs > 0) await sleep(aheadMs)
  }
  return { garments: uuids.size, bytes, seconds: (performance.now() - began) / 1000 }
}

let service = await start()
try {
  const { credentials, merchant } = await createMerchant(service.url, 'Export')
  const { id: tenantId } = await merchant.expectSuccess('GET', '/merchant/tenant')
  await service.stop()
  insertGarments(tenantId)
  service = await start()
  const signedIn = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: service.url },
    body: new URLSearchParams(credentials),
  })
  const headers = { Origin: service.url, Cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' }
  // Before the first garment: the code is loaded, nothing is read.
  await download({ to: '1969-01-01' }, headers)
  const processes = workerdsOf(process.pid).map((pid) => ({ pid, before: memoryMb(pid, 'VmRSS') }))
  for (let run = 1; run <= Number(options.runs); run++) {
    for (const { pid } of processes) resetPeak(pid)
    const { garments, bytes, seconds } = await download({}, headers)
    const growth = processes.map(({ pid, before }) => `${(memoryMb(pid, 'VmHWM') - before).toFixed(0)} MB`)
    process.stdout.write(
      `${run}: ${garments} garments, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, grown by ${growth.join(' and ')}\n`,
    )
  }
} finally {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

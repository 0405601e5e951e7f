/**
 * `npm run hostile:searches`: two members of one account search as often and as expensively as they can, each with
 * several requests at a time, in a stock of 10,000 garments. Meanwhile another tenant queries a garment. Prints the
 * median of these queries without and with the searches. Fails if the median more than triples. Wants an idle machine.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { quantile } from '../../support/quantile.ts'
import { startService } from '../../support/start-service.ts'

const garments = 10_000
const measuredMs = 20_000
const requestsPerMember = 4
const maxRatio = 3

/** Many words with many meanings, none of which the stock has. */
const searches = [
  'pullover sweater shoe tuta gilet overall',
  'schuhe chaussures zapatos scarpe pants parka zzz',
  'blue green red white brown beige qqq',
]

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-searches-'))
const port = await freePort()
const start = async () => await startService({ port, persistTo, vars: { RATE_LIMIT_PER_MINUTE: '10000' } })

function insertStock(tenantId: string): void {
  const [path] = globSync(join(persistTo, 'v3/d1/**/*.sqlite')).filter((file) => !file.endsWith('metadata.sqlite'))
  if (path === undefined) throw new Error('There is no database')
  const file = new DatabaseSync(path)
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')
  file
    .prepare(
      `INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at,
         search_text)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, lower(hex(randomblob(16))), 100000 + i, 0, '{}', 'https://service.example', 'complete',
         lower(hex(randomblob(16))), ?4 + i, ?4 + i, ' ' || i || ' ' || ?3 || ' ' FROM n`,
    )
    .run(tenantId, garments, words, Date.now() - 10 * garments)
  file.close()
}

async function signIn(url: string, credentials: Readonly<Record<string, string>>) {
  const signedIn = await fetch(`${url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams(credentials),
  })
  return { Origin: url, Cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

let service = await start()
try {
  const hostile = await createMerchant(service.url, 'Hostile')
  const victim = await createMerchant(service.url, 'Victim')
  const { id: tenantId } = await hostile.merchant.expectSuccess('GET', '/merchant/tenant')
  await service.stop()
  insertStock(tenantId)
  service = await start()
  const { url } = service

  /** Returns the median time of the victim's queries, in ms. */
  async function measureQueries(): Promise<number> {
    const times: number[] = []
    for (const until = performance.now() + measuredMs; performance.now() < until;) {
      const began = performance.now()
      await victim.tenant.call('GET', '/garment-tagging/query?uuid=missing')
      times.push(performance.now() - began)
      await sleep(100)
    }
    return quantile(times, 0.5)
  }

  await measureQueries()
  const quietMs = await measureQueries()
  // Both sessions belong to members of the same account.
  const members = await Promise.all([hostile, hostile].map(async ({ credentials }) => signIn(url, credentials)))
  const counts = new Map<number, number>()
  let isOver = false
  const attack = members.flatMap((headers) =>
    Array.from({ length: requestsPerMember }, async (_, i) => {
      for (let n = i; !isOver; n++) {
        const search = new URLSearchParams({ search: searches[n % searches.length] ?? '', sort: 'title' })
        const { status } = await fetch(`${url}/dashboard/garments?${search.toString()}`, {
          headers,
          redirect: 'manual',
        })
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (status === 429) await sleep(200)
      }
    }),
  )
  const busyMs = await measureQueries()
  isOver = true
  await Promise.all(attack)
  const ratio = busyMs / quietMs
  const answers = [...counts].map(([status, count]) => `${count} got ${status}`).join(', ')
  process.stdout.write(`Searches: ${answers}\n`)
  process.stdout.write(
    `Another tenant's query, median: ${quietMs.toFixed(1)} ms, and ${busyMs.toFixed(1)} ms meanwhile\n`,
  )
  process.stdout.write(`Ratio: ${ratio.toFixed(1)}, at most ${maxRatio}${ratio > maxRatio ? ' MISSED' : ''}\n`)
  process.exitCode = ratio > maxRatio ? 1 : 0
} finally {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

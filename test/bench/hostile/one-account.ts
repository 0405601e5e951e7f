/**
 * `node test/bench/hostile/one-account.ts`: what one account can do to the service: heap, the longest wait for `/health`, and
 * the growth of the database, while it imports hostile CSV files and exports heavy garments, and while one address guesses
 * passwords of many accounts. Wants an idle machine.
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'
import { watchIsolate } from './watch-isolate.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const [port, inspectorPort] = [await freePort(), await freePort()]
const vars = { RATE_LIMIT_PER_MINUTE: '1000' }
const service = await startService({ port, persistTo, vars, inspectorPort })

const databaseMb = () =>
  globSync(`${persistTo}/**/*d1*/**/*.sqlite*`).reduce((sum, file) => sum + statSync(file).size, 0) / 1_000_000

async function measure(name: string, act: () => Promise<string>): Promise<void> {
  const before = databaseMb()
  let outcome = ''
  const figures = await watchIsolate(service.url, inspectorPort, async () => void (outcome = await act()))
  const growth = (databaseMb() - before).toFixed(1)
  process.stdout.write(
    `${name}: heap at most ${figures.heapMb} MB, /health at most ${figures.healthMs} ms, database + ${growth} MB; ${outcome}\n`,
  )
}

const timed = async (act: () => Promise<{ readonly status: number }>) => {
  const startedAt = performance.now()
  const { status } = await act()
  return `${status} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

try {
  const account = await createMerchant(service.url, 'Hostile')
  const signedIn = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    headers: { Origin: service.url },
    body: new URLSearchParams(account.credentials),
    redirect: 'manual',
  })
  const headers = { Cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '', Origin: service.url }
  const importCsv = async (text: string) => {
    const body = new FormData()
    body.append('file', new File([text], 'stock.csv'))
    return await timed(async () =>
      fetch(`${service.url}/dashboard/imports`, { method: 'POST', headers, body, redirect: 'manual' }),
    )
  }

  await measure('Nothing for 5 seconds, which is what the machine itself does', async () => {
    await sleep(5000)
    return 'to compare with'
  })
  const refused = Array.from({ length: 6000 }, (_, i) => `${i},x,y`).join('\n')
  await measure('A CSV file of 6,000 refused rows under a name of 39,000 characters', async () =>
    importCsv(`uuid,image_url,${'n'.repeat(39_000)}\n${refused}`),
  )
  const columns = Array.from({ length: 30 }, (_, i) => `Name ${i}`)
  const row = columns.map(() => 'x'.repeat(20)).join(',')
  const valid = Array.from({ length: 10_000 }, (_, i) => `v${i},http://127.0.0.1:9/${i},${row}`).join('\n')
  await measure(`A valid CSV file of ${(valid.length / 1e6).toFixed(1)} MB`, async () =>
    importCsv(`uuid,image_url,${columns.join(',')}\n${valid}`),
  )
  const quotes = `"${'""'.repeat(19_000)}\n`.repeat(200)
  await measure(`A CSV file of quotes, ${(quotes.length / 1e6).toFixed(1)} MB`, async () =>
    importCsv(`uuid,image_url\n${quotes}`),
  )

  const long = 'ж'.repeat(512)
  const attribute = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`Name ${i}`, long]))
  for (let i = 0; i < 300; i++)
    await account.tenant.call('POST', '/garment-tagging/upload', {
      uuid: `h${i}`,
      image_url: 'http://127.0.0.1:9/x',
      attribute,
    })
  await measure('Six exports of heavy garments', async () => {
    let bytes = 0
    for (let i = 0; i < 6; i++) {
      const { apiKey, domain } = account
      const answer = await fetch(`${service.url}/garment-tagging/export`, {
        headers: { 'API-KEY': apiKey, DOMAIN: domain },
      })
      bytes = Math.max(bytes, (await answer.arrayBuffer()).byteLength)
    }
    return `at most ${(bytes / 1e6).toFixed(1)} MB each`
  })

  const signIn = async (address: string, credentials: object) =>
    await fetch(`${service.url}/merchant/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
      body: JSON.stringify(credentials),
    })
  await measure('160 guesses at 160 accounts from one address', async () => {
    const guesses = Array.from({ length: 160 }, async (_, i) =>
      signIn('198.51.100.1', { email: `a${i}@example.com`, password: 'a wrong password' }),
    )
    const legitimate = await timed(async () => signIn('203.0.113.1', account.credentials))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    return `${count(401)} were checked, ${count(429)} got 429, ${count(503)} got 503; a sign-in from elsewhere: ${legitimate}`
  })
} finally {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

/**
 * `npm run hostile`: what one account can do to the service, each figure with its goal: the heap, the longest wait for
 * `/health`, the requests of another tenant, and the growth of the database, while it imports hostile CSV files,
 * exports heavy garments and uploads a large picture, and while one address guesses passwords of many accounts.
 * Attacker, victim and server share the machine, so the same requests go to a Worker that does nothing first, and
 * others may take twice as long as there. Its `/health` is printed beside ours: where it waits longer than the goal,
 * as for 160 requests at once, that is the local server. Fails if a goal is missed. Wants an idle machine.
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJpeg } from '../../../src/vision/image/jpeg/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'
import { writeConfig } from '../../support/write-config.ts'
import { watchIsolate } from './watch-isolate.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const [port, inspectorPort] = [await freePort(), await freePort()]
const vars = { RATE_LIMIT_PER_MINUTE: '1000' }
const service = await startService({ port, persistTo, vars, inspectorPort })
const [barePort, bareInspectorPort] = [await freePort(), await freePort()]
const bare = await startService({
  port: barePort,
  persistTo: join(persistTo, 'bare'),
  config: writeConfig({ main: 'test/bench/hostile/bare-worker.ts', databases: 1 }),
  inspectorPort: bareInspectorPort,
})

const other = await createMerchant(service.url, 'Other')

const databaseMb = () =>
  globSync(`${persistTo}/**/*d1*/**/*.sqlite*`).reduce((sum, file) => sum + statSync(file).size, 0) / 1_000_000

let missed = 0
function report(what: string, value: number, goal: number, unit: string): void {
  if (value > goal) missed++
  const text = `  ${what}: ${value.toFixed(1)} ${unit}, at most ${goal.toFixed(1)}${value > goal ? ' MISSED' : ''}`
  process.stdout.write(`${text}\n`)
}

/** What the default quotas allow a tenant of text. */
const maxGrowthMb = 200
const maxHeapMb = 100
const maxRatio = 2

/** Sends requests to a service, and says what came of them. */
type Act = (url: string) => Promise<string>

/** An attack at the Worker that does nothing is soon over, and repeated for so long. */
const minBareMs = 2000

/** Of the first measurement, in which nothing happens. */
let idleMs = Infinity

/** `/health`, and the 95th percentile of requests, beside `act` at a Worker that does nothing, in ms. */
async function measureBare(act: Act) {
  let outcome = ''
  const attack = async () => {
    const until = performance.now() + minBareMs
    do outcome = await act(bare.url)
    while (performance.now() < until)
  }
  const ask = async () => await (await fetch(`${bare.url}/query`)).text()
  const { healthMs, othersMs } = await watchIsolate(bare.url, bareInspectorPort, attack, ask)
  const text = `/health ${healthMs} ms, requests ${othersMs.toFixed(1)} ms; ${outcome}`
  process.stdout.write(`At a Worker that does nothing: ${text}\n`)
  return { healthMs, othersMs }
}

async function measure(name: string, act: Act, maxHealthMs = 300): Promise<void> {
  const nothing = await measureBare(act)
  const before = databaseMb()
  let outcome = ''
  const ask = async () => await other.client.query('x').catch(() => null)
  const { heapMb, healthMs, othersMs } = await watchIsolate(
    service.url,
    inspectorPort,
    async () => void (outcome = await act(service.url)),
    ask,
  )
  process.stdout.write(`${name}: ${outcome}\n`)
  report('heap', heapMb, maxHeapMb, 'MB')
  report(`/health, ${nothing.healthMs} at a Worker that does nothing`, healthMs, maxHealthMs, 'ms')
  report('database grows by', databaseMb() - before, maxGrowthMb, 'MB')
  if (idleMs === Infinity) idleMs = othersMs
  report("another tenant's requests, 95th percentile", othersMs, Math.max(idleMs, nothing.othersMs) * maxRatio, 'ms')
}

const timed = async (act: () => Promise<{ readonly status: number }>) => {
  const startedAt = performance.now()
  const { status } = await act()
  lastS = (performance.now() - startedAt) / 1000
  return `${status} after ${lastS.toFixed(1)} s`
}
let lastS = 0

try {
  const account = await createMerchant(service.url, 'Hostile')
  const signedIn = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    headers: { Origin: service.url },
    body: new URLSearchParams(account.credentials),
    redirect: 'manual',
  })
  const headers = { Cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '', Origin: service.url }
  const importCsv = (text: string) => async (url: string) => {
    const body = new FormData()
    body.append('file', new File([text], 'stock.csv'))
    return await timed(async () =>
      fetch(`${url}/dashboard/imports`, { method: 'POST', headers, body, redirect: 'manual' }),
    )
  }

  await measure('Nothing for 5 seconds, which is what the machine itself does', async () => {
    await sleep(5000)
    return 'to compare with'
  })
  const refused = Array.from({ length: 6000 }, (_, i) => `${i},x,y`).join('\n')
  await measure(
    'A CSV file of 6,000 refused rows under a name of 39,000 characters',
    importCsv(`uuid,image_url,${'n'.repeat(39_000)}\n${refused}`),
  )
  const columns = Array.from({ length: 30 }, (_, i) => `Name ${i}`)
  const row = columns.map(() => 'x'.repeat(20)).join(',')
  const valid = Array.from({ length: 10_000 }, (_, i) => `v${i},http://127.0.0.1:9/${i},${row}`).join('\n')
  await measure(
    `A valid CSV file of ${(valid.length / 1e6).toFixed(1)} MB`,
    importCsv(`uuid,image_url,${columns.join(',')}\n${valid}`),
  )
  const quotes = `"${'""'.repeat(19_000)}\n`.repeat(200)
  await measure(`A CSV file of quotes, ${(quotes.length / 1e6).toFixed(1)} MB`, importCsv(`uuid,image_url\n${quotes}`))

  const long = 'ж'.repeat(512)
  const attribute = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`Name ${i}`, long]))
  for (let i = 0; i < 300; i++)
    await account.tenant.call('POST', '/garment-tagging/upload', {
      uuid: `h${i}`,
      image_url: 'http://127.0.0.1:9/x',
      attribute,
    })
  await measure('Six exports of heavy garments', async (url) => {
    let bytes = 0
    for (let i = 0; i < 6; i++) {
      const { apiKey, domain } = account
      const answer = await fetch(`${url}/garment-tagging/export`, {
        headers: { 'API-KEY': apiKey, DOMAIN: domain },
      })
      bytes = Math.max(bytes, (await answer.arrayBuffer()).byteLength)
    }
    return `at most ${(bytes / 1e6).toFixed(1)} MB each`
  })

  const { picture } = makeFlatLay(11, { width: 4000, height: 5000 })
  const image = new Blob([encodeJpeg(picture)])
  await measure(
    'A picture of 20 megapixels, uploaded and tagged',
    async (url) => {
      if (url === bare.url) return await (await fetch(url, { method: 'POST', body: image })).text()
      await account.client.uploadFile({ uuid: 'large', image })
      return `it was ${(await account.client.wait('large')).status}`
    },
    500,
  )

  const signIn = async (url: string, address: string, credentials: object) =>
    await fetch(`${url}/merchant/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
      body: JSON.stringify(credentials),
    })
  let checked = 0
  await measure('160 guesses at 160 accounts from one address', async (url) => {
    const guesses = Array.from({ length: 160 }, async (_, i) =>
      signIn(url, '198.51.100.1', { email: `a${i}@example.com`, password: 'a wrong password' }),
    )
    const legitimate = await timed(async () => signIn(url, '203.0.113.1', account.credentials))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    checked = statuses.filter((status) => status === 401).length
    const count = (status: number) => statuses.filter((each) => each === status).length
    return `${count(429)} got 429, ${count(503)} got 503; a sign-in from elsewhere: ${legitimate}`
  })
  report('guesses that were checked', checked, 100, '')
  report('a sign-in from elsewhere meanwhile', lastS, 1.5, 's')
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  await Promise.all([service.stop(), bare.stop()])
  rmSync(persistTo, { recursive: true, force: true })
}

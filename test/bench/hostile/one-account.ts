/**
 * `npm run hostile`: what one account can do to the service, each figure with its goal: the heap, the longest wait for
 * `/health`, the requests of another tenant, and the growth of the database, while it imports hostile CSV files,
 * exports heavy garments and uploads a large picture, and while one address guesses passwords of many accounts.
 * Attacker, victim and server share the machine, so the same requests go to a Worker that does nothing first, and
 * others may take twice as long as there. Its `/health` is printed beside ours: where it waits longer than the goal,
 * as for 160 requests at once, that is the local server. Fails if a goal is missed. Wants an idle machine.
 *
 * --only TEXT   the attacks whose names contain it
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../../support/api-client.ts'
import { startMeasuring } from './measure.ts'

const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values

const { service, bare, measure: measureAll, report, missed, stop } = await startMeasuring()

const measure: typeof measureAll = async (name, ...rest) => {
  if (name.includes(only)) await measureAll(name, ...rest)
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

  await measure('Ten downloads of heavy garments that nobody reads', async (url) => {
    const stop = new AbortController()
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () =>
        fetch(`${url}/dashboard/export/file`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({ format: 'json' }),
          signal: stop.signal,
        }),
      ),
    )
    await sleep(3000)
    stop.abort()
    return `${answers.filter(({ status }) => status === 429).length} got 429`
  })

  await measure('Pages of a list of garments, asked for 20 at a time for 8 seconds', async (url) => {
    const until = performance.now() + 8000
    let pages = 0
    const ask = async () => {
      while (performance.now() < until) {
        await (await fetch(`${url}/dashboard/garments?status=waiting`, { headers, redirect: 'manual' })).text()
        pages++
      }
    }
    await Promise.all(Array.from({ length: 20 }, ask))
    return `${pages} pages`
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
  process.exitCode = missed() === 0 ? 0 : 1
} finally {
  await stop()
}

/**
 * `node test/bench/paint.ts`: measures the time until pages of the dashboard and the documentation are painted, with
 * an empty cache. The aim is 300 ms. Needs an idle machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { chromium } from 'playwright-core'
import { startBrowser } from '../browser/support/start-browser.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { quantile } from '../support/quantile.ts'
import { startService } from '../support/start-service.ts'

const loads = 12
const paths = [
  '/',
  '/dashboard/sign-in',
  '/dashboard',
  '/dashboard/garments',
  '/dashboard/imports',
  '/dashboard/usage',
  '/docs/',
  '/docs/guides/tags-and-measurements',
  '/docs/api/garments',
]
const firstPaint = `new Promise((resolve) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName('first-contentful-paint')[0]
  if (paint !== undefined) resolve(paint.startTime)
}).observe({ type: 'paint', buffered: true }))`

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const service = await startService({ port: await freePort(), persistTo })
const server = await startBrowser()
const browser = await chromium.connect(server.wsEndpoint())
try {
  const { credentials } = await createMerchant(service.url, 'Paint')
  const signedIn = await fetch(`${service.url}/dashboard/sign-in`, {
    method: 'POST',
    headers: { Origin: service.url },
    body: new URLSearchParams(credentials),
    redirect: 'manual',
  })
  const [, value = ''] = /^session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '') ?? []
  for (const path of paths) {
    const paints: number[] = []
    while (paints.length < loads) {
      const context = await browser.newContext()
      if (path !== '/' && path !== '/dashboard/sign-in')
        await context.addCookies([{ name: 'session', value, url: service.url }])
      const page = await context.newPage()
      await page.goto(service.url + path)
      paints.push(await page.evaluate<number>(firstPaint))
      await context.close()
    }
    process.stdout.write(
      `${path}: median ${quantile(paints, 0.5).toFixed(0)} ms, fastest ${Math.min(...paints).toFixed(0)} ms\n`,
    )
  }
} finally {
  await browser.close()
  await server.close()
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

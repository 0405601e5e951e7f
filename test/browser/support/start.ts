import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { startHttpHost } from '../../support/http-host.ts'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'
import { chromiumArgs, findChromium } from './find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string
    hostOrigin: string
    browserUrl: string
    /** What the service has printed. */
    logPath: string
  }
}

/**
 * Vitest's global setup: starts the service with `wrangler dev`, a host for images and webhooks, and the browser, in
 * which each page has a context of its own.
 */
export async function setup(project: TestProject) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium was not found.')
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-browser-'))
  const userData = mkdtempSync(join(tmpdir(), 'garment-tagging-chromium-'))
  const env = { ...process.env, HOME: userData }
  const browser = await chromium.launchServer({ executablePath, args: chromiumArgs, env })
  const logPath = join(persistTo, 'service.log')
  const host = await startHttpHost()
  const service = await startService({
    port: await freePort(),
    persistTo,
    logPath,
    vars: {
      SIGN_IN_LIMIT_PER_MINUTE: '10000',
      RATE_LIMIT_PER_MINUTE: '600',
      // The second attempt comes soon, the third not during the tests.
      WEBHOOK_RETRY_DELAYS: '1,3600,3600,3600,3600,3600,3600,3600',
      TAGGING_RETRY_DELAYS: '3600,3600,3600,3600',
    },
  })
  project.provide('serviceUrl', service.url)
  project.provide('hostOrigin', host.origin)
  project.provide('browserUrl', browser.wsEndpoint())
  project.provide('logPath', logPath)
  return async () => {
    await Promise.all([browser.close(), service.stop(), host.close()])
    for (const folder of [persistTo, userData]) rmSync(folder, { recursive: true, force: true })
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startHttpHost } from '../../support/http-host.ts'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'
import { startBrowser } from './start-browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serviceUrl: string
    hostOrigin: string
    browserUrl: string
    /** Path of the service's log. */
    logPath: string
  }
}

/** Vitest's global setup: starts a browser, the service with `wrangler dev`, and a host for images and webhooks. */
export async function setup(project: TestProject) {
  const browser = await startBrowser()
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-browser-'))
  const logPath = join(persistTo, 'service.log')
  const host = await startHttpHost()
  const service = await startService({
    port: await freePort(),
    persistTo,
    logPath,
    vars: {
      SIGN_IN_LIMIT_PER_MINUTE: '10000',
      RATE_LIMIT_PER_MINUTE: '600',
      // The second attempt comes soon. The third does not come during the tests.
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
    rmSync(persistTo, { recursive: true, force: true })
  }
}

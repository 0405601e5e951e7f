import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a service for test files that neither stop it nor need settings of their own. */
    sharedServiceUrl: string
  }
}

/** Vitest's global setup: a start takes seconds, so that files with tenants of their own share a service. */
export async function setup(project: TestProject) {
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
  // Enough for each test, so that none has to wait for a minute.
  const service = await startService({ port: await freePort(), persistTo, vars: { RATE_LIMIT_PER_MINUTE: '60' } })
  project.provide('sharedServiceUrl', service.url)
  return async () => {
    await service.stop()
    rmSync(persistTo, { recursive: true, force: true })
  }
}

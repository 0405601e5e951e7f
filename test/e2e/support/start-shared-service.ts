import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'

/** Its operator's token. Whoever uses it may only change what belongs to a tenant of the test. */
export const operatorToken = 'an operator token for tests, long enough'

const vars = {
  OPERATOR_TOKEN: operatorToken,
  // Enough for each test, so that none has to wait for a minute.
  RATE_LIMIT_PER_MINUTE: '1000',
  SIGN_IN_LIMIT_PER_MINUTE: '1000',
  // No test waits until a picture is fetched again.
  TAGGING_RETRY_DELAYS: '0,0,0,0',
}

declare module 'vitest' {
  interface ProvidedContext {
    /** For test files that neither stop it nor need settings of their own. */
    sharedServiceUrl: string
    /** What it has printed. */
    sharedServiceLog: string
  }
}

/** Vitest's global setup: a start takes seconds, so that files with tenants of their own share a service. */
export async function setup(project: TestProject) {
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
  const logPath = join(persistTo, 'service.log')
  const service = await startService({ port: await freePort(), persistTo, logPath, vars })
  project.provide('sharedServiceUrl', service.url)
  project.provide('sharedServiceLog', logPath)
  return async () => {
    await service.stop()
    rmSync(persistTo, { recursive: true, force: true })
  }
}

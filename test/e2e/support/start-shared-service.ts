import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'

/** The operator's token. Tests may use it only to change their own tenants. */
export const operatorToken = 'an operator token for tests, long enough'

const vars = {
  OPERATOR_TOKEN: operatorToken,
  // Enough for each test, so that no test waits for a minute.
  RATE_LIMIT_PER_MINUTE: '1000',
  SIGN_IN_LIMIT_PER_MINUTE: '1000',
  // No test waits for the next try of a picture.
  TAGGING_RETRY_DELAYS: '0,0,0,0',
}

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the shared service. For test files that neither stop it nor need other settings. */
    sharedServiceUrl: string
    /** Path of its log. */
    sharedServiceLog: string
  }
}

/**
 * Vitest's global setup: starts one service for all test files, because a start takes seconds. Each file creates its
 * own tenants.
 */
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

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import process from 'node:process'
import { newState } from '../../support/start-service.ts'

/** Vitest's global setup: creates the tables once, since each test file starts a service of its own. */
export function setup() {
  const remove = () => rmSync(newState, { recursive: true, force: true })
  remove()
  const env = { ...process.env, WRANGLER_COMMAND: 'dev', PERSIST_TO: newState }
  execFileSync(process.execPath, ['src/local/prepare.ts'], { env, stdio: 'inherit' })
  return remove
}

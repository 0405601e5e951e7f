import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import process from 'node:process'

/** Vitest's global setup: creates the tables once, so that services of test files can copy them. */
export function setup() {
  const state = process.env['NEW_STATE'] ?? ''
  const env = { ...process.env, WRANGLER_COMMAND: 'dev', PERSIST_TO: state }
  execFileSync(process.execPath, ['src/local/prepare.ts'], { env, stdio: 'inherit' })
  return () => rmSync(state, { recursive: true, force: true })
}

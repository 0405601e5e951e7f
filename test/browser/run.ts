/** Runs the tests in Chromium: `npm run test:browser`. Without Chromium it warns, and fails on CI. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { findChromium } from './support/find-chromium.ts'

if (findChromium() === undefined) {
  console.error('*** NO CHROMIUM FOUND: THE DASHBOARD WAS NOT TESTED. Install chromium or set CHROMIUM_PATH. ***')
  process.exit(process.env['CI'] ? 1 : 0)
}
const args = ['vitest', 'run', '--config', 'test/browser/vitest.config.ts', ...process.argv.slice(2)]
process.exit(spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1)

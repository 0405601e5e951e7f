/**
 * Runs the contract tests of the last release, with its own code, on a database with the present migrations: while a
 * deployment runs, and after going back, the former code works on the new tables. `last-release` beside this file names
 * the release's commit; change it when a release has been deployed.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

const contractTests = ['test/openapi', 'test/garment']

const commit = readFileSync(join(import.meta.dirname, 'last-release'), 'utf8').trim()
const folder = mkdtempSync(join(tmpdir(), 'last-release-'))

/** Shows what the command prints if it fails only: these tests break connections on purpose. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`${stderr}\n${stdout}\n${command} ${args.join(' ')} ended with ${status}.`)
}

try {
  run('git', ['archive', '--output', join(folder, 'release.tar'), commit], '.')
  run('tar', ['-xf', 'release.tar'], folder)
  rmSync(join(folder, 'migrations'), { recursive: true })
  cpSync('migrations', join(folder, 'migrations'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...contractTests], folder)
  process.stdout.write(`The contract tests of ${commit.slice(0, 7)} pass on the present migrations.\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { isServing } from '../support/start-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-start-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `npm start` as a user does. */
function npmStart(...args: string[]) {
  const child = spawn('npm', ['start', '--silent', '--', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => output }
}

/** Finds processes whose command line contains a text. */
const findProcesses = (text: string) =>
  String(execFileSync('ps', ['-eo', 'pid,args']))
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -eo'))

it('npm start -- --help explains the options of this project', async () => {
  const { ended, output } = npmStart('--help')
  expect(await ended).toBe(0)
  expect(output()).toMatch(/^Usage: npm start -- \[options\]/)
})

it('a bad setting is one sentence at the end of the output', async () => {
  const port = String(await freePort())
  const persistTo = join(folder, 'bad')
  const { ended, output } = npmStart(
    '--port',
    port,
    '--inspector-port',
    '0',
    '--persist-to',
    persistTo,
    '--var',
    'RATE_LIMIT_PER_MINUTE:x',
  )
  expect(await ended).toBe(1)
  expect(output().trimEnd().split('\n').slice(1)).toEqual([
    'Bad settings: RATE_LIMIT_PER_MINUTE must be a whole number. docs/operations/settings.md lists all settings.',
  ])
})

it.each(['SIGTERM', 'SIGINT'] as const)('npm start ends with all its children at %s', async (signal) => {
  const port = await freePort()
  const persistTo = join(folder, signal)
  const { child, ended } = npmStart('--port', String(port), '--inspector-port', '0', '--persist-to', persistTo)
  await expect.poll(async () => await isServing(`http://localhost:${port}`)).toBe(true)
  expect(findProcesses(persistTo).length).toBeGreaterThan(1)
  process.kill(child.pid ?? 0, signal)
  await ended
  await expect.poll(() => findProcesses(persistTo)).toEqual([])
  expect(await isServing(`http://localhost:${port}`)).toBe(false)
})

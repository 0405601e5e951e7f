import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../src/client/command-line/run-command-line.ts'

const unreachable = {
  GARMENT_TAGGING_URL: 'http://localhost:1',
  GARMENT_TAGGING_API_KEY: 'k',
  GARMENT_TAGGING_DOMAIN: 'd',
}

beforeEach(() => {
  for (const name of Object.keys(unreachable)) vi.stubEnv(name, undefined)
  vi.stubEnv('GARMENT_TAGGING_CONFIG', '/nonexistent/config.json')
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Runs a command in this process. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const written = { stdout: '', stderr: '' }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  const code = await runCommandLine(args, new AbortController().signal, '1.2.3')
  vi.restoreAllMocks()
  return { code, ...written }
}

it.each(['sign-in', 'upload', 'export', 'listen', 'redeliver'])('prints the help of %s', async (command) => {
  const { code, stdout, stderr } = await run([command, '--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Usage: garment-tagging ${command}`)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect((await run([])).stdout).toContain(`  ${command} `)
})

it('prints the version', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' })
})

it.each([
  [['nope'], 'There is no command nope.'],
  [['upload'], 'Give the URL of an image, or --csv FILE.'],
  [['upload', 'shirt.jpg'], 'shirt.jpg is neither a file nor an http or https URL.'],
  [['upload', 'http://x.test/1.jpg', '--attribute', 'Brand'], '--attribute must be NAME=VALUE'],
  [['upload', 'http://x.test/1.jpg', '--csv', 'x.csv'], '--csv cannot be combined'],
  [['upload', 'http://x.test/1.jpg', '--format', 'xml'], '--format must be json or csv.'],
  [['upload', '--nope'], "Unknown option '--nope'"],
  [['upload', '--csv', 'none.csv'], 'There is no file none.csv.'],
  [['export', '--status', 'done'], '--status must be one of'],
  [['redeliver'], 'Give the UUID of one garment, or --from and --to.'],
  [['redeliver', 'g', '--from', '2026-11-01'], 'Give the UUID of one garment, or --from and --to.'],
  [['listen', '--port', 'x'], '--port must be a whole number.'],
  [['sign-in', '--email', 'a@example.com'], 'Give --url.'],
  [['sign-in', '--url', 'service', '--email', 'a@example.com'], '--url must be the URL'],
  [['sign-in', '--url', 'http://localhost:1'], 'Give --email.'],
  [['sign-in', '--url', 'http://localhost:1', '--email', 'a@example.com'], 'Give the password'],
])('exits with 2 and explains the problem of the arguments %j', async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
  expect(stderr).toContain('--help')
})

it.each([
  [{ GARMENT_TAGGING_URL: 'http://localhost:1' }, 'Set GARMENT_TAGGING_API_KEY and GARMENT_TAGGING_DOMAIN, too.'],
  [{ GARMENT_TAGGING_URL: 'http://localhost:1', GARMENT_TAGGING_API_KEY: 'k' }, 'Set GARMENT_TAGGING_DOMAIN, too.'],
  [
    { ...unreachable, GARMENT_TAGGING_URL: 'localhost:9341' },
    'GARMENT_TAGGING_URL must begin with https:// or http://',
  ],
  [{ ...unreachable, GARMENT_TAGGING_API_KEY: 'gt_…' }, 'GARMENT_TAGGING_API_KEY must be given as it was shown'],
])('names the variable that is missing or wrong in %j, and sends nothing', async (env, message) => {
  const { code, stderr } = await run(['redeliver', 'g'], env)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).not.toContain('Trying again')
})

it('says how to sign in', async () => {
  const { code, stderr } = await run(['redeliver', 'g'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Not signed in\. Run "garment-tagging sign-in"/)])
})

it('reports that the service cannot be reached', async () => {
  const signIn = ['sign-in', '--url', 'http://localhost:1', '--email', 'a@example.com']
  const { code, stderr } = await run(signIn, { GARMENT_TAGGING_PASSWORD: 'x' })
  expect([code, stderr]).toEqual([1, expect.stringContaining('http://localhost:1 could not be reached')])
})

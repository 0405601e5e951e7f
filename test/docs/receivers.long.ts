import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../src/webhooks/endpoints/secret.ts'
import { freePort } from '../support/free-port.ts'

// Runs the programs in docs/receivers as a reader would. `.ci/run` installs what they need.

const secret = `whsec_${Buffer.from('a key of thirty-two bytes, ascii').toString('base64')}`
const root = mkdtempSync(join(tmpdir(), 'garment-tagging-receivers-'))
const running: ChildProcess[] = []

afterAll(() => {
  for (const { pid, exitCode, signalCode } of running)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 10 })
})

interface Receiver {
  readonly name: string
  readonly command: string
  readonly args: (port: number) => readonly string[]
  /** Command for later work, if the program does not do it itself. */
  readonly later?: readonly string[]
}

const python = '/usr/bin/python3'
const receivers: readonly Receiver[] = [
  { name: 'Express', command: process.execPath, args: () => ['express.mjs'] },
  { name: 'Hono', command: process.execPath, args: () => ['hono.mjs'] },
  { name: 'FastAPI', command: python, args: (port) => ['-m', 'uvicorn', 'fastapi_receiver:app', '--port', `${port}`] },
  {
    name: 'Flask',
    command: python,
    args: (port) => ['-m', 'flask', '--app', 'flask_receiver', 'run', '--port', `${port}`],
  },
  { name: 'PHP', command: 'php', args: (port) => ['-S', `localhost:${port}`, 'receiver.php'], later: ['receiver.php'] },
  { name: 'Sinatra', command: 'ruby', args: () => ['sinatra.rb'] },
  { name: 'Go', command: 'go', args: () => ['run', 'receiver.go'] },
  {
    name: 'a Cloudflare Worker',
    command: process.execPath,
    args: (port) => [
      'node_modules/wrangler/bin/wrangler.js',
      'dev',
      '--port',
      `${port}`,
      '--var',
      `WEBHOOK_SECRET:${secret}`,
    ],
  },
]

/** Starts the program in its own folder. */
async function start({ name, command, args, later }: Receiver) {
  const cwd = join(root, name)
  mkdirSync(cwd)
  cpSync('docs/receivers', cwd, { recursive: true })
  symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'))
  const port = await freePort()
  const env = {
    ...process.env,
    WEBHOOK_SECRET: secret,
    PORT: `${port}`,
    PYTHONDONTWRITEBYTECODE: '1',
    WRANGLER_LOG: 'log',
  }
  const child = spawn(command, args(port), { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  let log = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (log += String(chunk)))
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.\n${output}\n${log}`)))
  })
  ended.catch(() => {})
  const post = async (body: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(`http://localhost:${port}/webhook`, { method: 'POST', body, headers })).status
  const isListening = async () => {
    for (;;)
      try {
        return await post('', {})
      } catch {
        await sleep(100)
      }
  }
  await Promise.race([isListening(), ended])
  return {
    post,
    /** Waits until later work has written lines about a garment, and returns them. */
    async worked(uuid: string): Promise<string[]> {
      for (;;) {
        if (later !== undefined) output += spawnSync(command, later, { cwd, env, encoding: 'utf8' }).stdout
        const lines = output.split('\n').filter((line) => line.includes(` ${uuid} `))
        if (lines.length > 0) return lines
        await Promise.race([sleep(100), ended])
      }
    },
  }
}

const signed = async (id: string, body: string, nowMs = Date.now()) => ({
  'Content-Type': 'application/json',
  ...(await signatureHeaders({ id, body: new TextEncoder().encode(body), secrets: [secret], nowMs })),
})

/** A body that parsing and serializing JSON would change. */
const eventOf = (uuid: string) =>
  `{ "event":"tagging.completed",  "uuid":"${uuid}", "tag":{"Item Type":"Shirt"}, "description":"schön \\u00e9", "n":1.50 }`

describe.each(receivers)('the receiver with $name', (receiver) => {
  it('takes genuine deliveries at once and each only once, works on them later, and refuses all others', async () => {
    const { post, worked } = await start(receiver)
    const [body, other] = [eventOf('g-1'), eventOf('g-2')]
    const headers = await signed('id-1', body)
    expect([await post(body, headers), await post(body, headers)]).toEqual([204, 204])
    expect(await post(body.replace('Shirt', 'Dress'), headers)).toBe(401)
    expect(await post(body, { ...headers, 'webhook-id': 'id-9' })).toBe(401)
    expect(await post(body, await signed('id-3', body, Date.now() - 600_000))).toBe(401)
    expect(await post(body, await signed('id-4', body, Date.now() + 600_000))).toBe(401)
    expect(await post(body, { 'Content-Type': 'application/json' })).toBe(401)
    const again = await signed('id-2', other)
    const statuses = await Promise.all([0, 1, 2, 3].map(async () => await post(other, again)))
    expect(statuses).toEqual([204, 204, 204, 204])
    const lines = [...(await worked('g-1')), ...(await worked('g-2'))]
    expect(lines).toEqual([
      expect.stringContaining('tagging.completed g-1 Shirt'),
      expect.stringContaining('tagging.completed g-2 Shirt'),
    ])
  })
})

describe('the check in a shell', () => {
  const check = (given: string, body: string, signature: string) =>
    spawnSync('sh', [resolve('docs/receivers/verify.sh')], {
      input: body,
      env: { ...process.env, SECRET: given, SIGNATURE: signature },
    }).status

  it.each([secret, secret.replace(/=+$/, ''), 'any other text, schön'])(
    'accepts the simple signature of a genuine body, and no other, with the secret %s',
    (given) => {
      const key = given.startsWith('whsec_') ? Buffer.from(given.slice('whsec_'.length), 'base64') : given
      const signature = `sha256=${createHmac('sha256', key).update('{"a":"ü"}').digest('hex')}`
      expect(check(given, '{"a":"ü"}', signature)).toBe(0)
      expect(check(given, '{"a":"u"}', signature)).toBe(1)
      expect(check('another', '{"a":"ü"}', signature)).toBe(1)
    },
  )
})

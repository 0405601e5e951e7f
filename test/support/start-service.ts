import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { wranglerPath } from '../../src/local/wrangler.ts'
import { writeConfig } from './write-config.ts'

/** Limit that only ends a hanging start. */
const maxStartMs = 300_000

const databases = Number(process.env['DATABASES'] ?? 1)

/** Directory with the state of a new service, which a test run creates once. */
const newState = process.env['NEW_STATE'] ?? ''

export interface ServiceOptions {
  readonly port: number
  /** Directory for its state. Default `.wrangler/state`. */
  readonly persistTo?: string
  readonly vars?: Readonly<Record<string, string>>
  /** Its wrangler configuration. Default `wrangler.toml`, with as many databases as DATABASES says. */
  readonly config?: string
  /** File that also receives its output, so that other processes can read it. */
  readonly logPath?: string
  /** Port of its isolate's inspector. Default: any free port. */
  readonly inspectorPort?: number
}

export interface RunningService {
  readonly url: string
  /** Returns the output so far. */
  readonly output: () => string
  readonly stop: () => Promise<void>
  /** Kills it without a warning, like a power failure. */
  readonly kill: () => Promise<void>
}

export async function isServing(url: string): Promise<boolean> {
  try {
    // Pretends to be a proxy that terminates TLS, because plain http is redirected if PUBLIC_URL is https.
    const headers = { 'X-Forwarded-Proto': 'https' }
    return (await fetch(`${url}/health`, { headers, signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/** Starts the service with `wrangler dev` and waits until it responds. Throws with its output if it does not. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { port, persistTo, vars = {}, inspectorPort = 0 } = options
  const config = options.config ?? (databases === 1 ? undefined : writeConfig({ databases }))
  const url = `http://localhost:${port}`
  // Creating tables takes longer than the rest of a start, so a service with one database copies prepared ones.
  if (persistTo !== undefined && config === undefined && existsSync(newState) && !existsSync(join(persistTo, 'v3')))
    cpSync(newState, persistTo, { recursive: true })
  const args = [wranglerPath, 'dev', '--port', String(port), '--inspector-port', String(inspectorPort)]
  if (persistTo !== undefined) args.push('--persist-to', persistTo)
  if (config !== undefined) args.push('--config', config)
  for (const [name, value] of Object.entries(vars)) args.push('--var', `${name}:${value}`)
  let output = ''
  // In its own process group, so that its child processes can be stopped too.
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The local trace store takes a third of the CPU time of a request. Deployed Workers have none.
      X_LOCAL_OBSERVABILITY: 'false',
      ...(persistTo === undefined ? {} : { PERSIST_TO: persistTo }),
      ...(config === undefined ? {} : { WRANGLER_CONFIG: config }),
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += String(text)
      if (options.logPath !== undefined) appendFileSync(options.logPath, String(text))
    })

  async function end(signal: 'SIGTERM' | 'SIGKILL') {
    const { pid } = child
    if (child.exitCode !== null || pid === undefined) return
    process.kill(-pid, signal)
    await Promise.race([ended, sleep(5000, undefined, { ref: false }).then(() => process.kill(-pid, 'SIGKILL'))])
  }
  const stop = () => end('SIGTERM')
  // Do not leave it running if this process is interrupted.
  const killAtExit = () =>
    void (child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
  process.once('exit', killAtExit)
  void ended.then(() => process.off('exit', killAtExit))

  const deadline = Date.now() + maxStartMs
  while (!(await isServing(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`The service did not start on port ${port}.\n${output}`)
    }
    await sleep(200)
  }
  return { url, output: () => output, stop, kill: () => end('SIGKILL') }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { accountId, apiToken } from './cloudflare-api.ts'

interface Options {
  readonly token?: string
  readonly input?: string
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command as an operator would, but against the local API at `url`. */
export async function runAsOperator(
  url: string,
  command: string,
  { token = apiToken, input = '', folder = '.', env = {} }: Options = {},
) {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: {
      ...process.env,
      CI: 'true',
      CLOUDFLARE_API_BASE_URL: url,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: accountId,
      WRANGLER_SEND_METRICS: 'false',
      ...env,
    },
  })
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output: stdout + stderr }
}

import { spawn } from 'node:child_process'
import { createMerchant } from '../../support/api-client.ts'
import { issueToken } from '../../support/issue.ts'

export type Environment = Readonly<Record<string, string>>

/** Creates a tenant and returns the environment variables that replace a sign-in on the command line. */
export async function newTenant(serviceUrl: string, name: string) {
  const { apiKey, domain, client } = await createMerchant(serviceUrl, name, issueToken)
  const env = { GARMENT_TAGGING_URL: serviceUrl, GARMENT_TAGGING_API_KEY: apiKey, GARMENT_TAGGING_DOMAIN: domain }
  return { env, client }
}

/** Starts a command of the package. Tests can wait for its output and interrupt it as Ctrl+C does. */
export function start(args: readonly string[], env: Environment = {}, input = '') {
  const child = spawn('node', ['dist/client/command-line.js', ...args], {
    env: { ...process.env, GARMENT_TAGGING_CONFIG: '/nonexistent/config.json', ...env },
  })
  child.stdin.end(input)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...output })),
  )
  return {
    ended,
    output,
    pid: child.pid,
    interrupt: (signal: NodeJS.Signals = 'SIGINT') => void child.kill(signal),
    /** Simulates a closed terminal: nobody reads the output. */
    hangUp() {
      child.stdout.destroy()
      child.stderr.destroy()
      child.kill('SIGHUP')
    },
  }
}

export const run = async (args: readonly string[], env?: Environment, input?: string) =>
  await start(args, env, input).ended

import { execFileSync, spawn } from 'node:child_process'

/** Builds the package. */
export const buildPackage = () => void execFileSync('npm', ['run', '--silent', 'client:pack'])

export type Environment = Readonly<Record<string, string>>

/** Starts a command of the package. Its output can be waited for, and it can be interrupted as by Ctrl+C. */
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
  return { ended, output, interrupt: () => child.kill('SIGINT') }
}

export const run = async (args: readonly string[], env?: Environment, input?: string) =>
  await start(args, env, input).ended

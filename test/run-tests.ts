/**
 * `npm test`: the unit tests, which keep the processors busy, beside those against a running service and those in a
 * browser, which wait much. What the latter two print comes when they have ended.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

const start = (script: string, output: 'inherit' | 'pipe') =>
  spawn('npm', ['run', script], { stdio: ['ignore', output, output] })

async function succeeds(child: ReturnType<typeof spawn>): Promise<boolean> {
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => printed.push(part))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(printed))
  return code === 0
}

const results = await Promise.all([
  succeeds(start('test:unit', 'inherit')),
  succeeds(start('test:e2e', 'pipe')),
  succeeds(start('test:browser', 'pipe')),
])
process.exitCode = results.every(Boolean) ? 0 : 1

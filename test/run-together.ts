/**
 * Runs scripts of package.json at the same time, and fails if one of them fails. `npm test` runs the unit tests, which
 * keep the processors busy, beside end-to-end and browser tests, which mostly wait. The first script prints at once.
 * The output of the others is printed when they end.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

async function succeeds(script: string, index: number): Promise<boolean> {
  const output = index === 0 ? 'inherit' : 'pipe'
  const child = spawn('npm', ['run', script], { stdio: ['ignore', output, output] })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => printed.push(part))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(printed))
  return code === 0
}

const results = await Promise.all(process.argv.slice(2).map(succeeds))
process.exitCode = results.every(Boolean) ? 0 : 1

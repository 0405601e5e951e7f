/**
 * `npm test`: the tests in workerd, which keep the processors busy, then those against a running service beside those
 * in a browser, which both wait much. What the latter print comes when both have ended.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

const start = (script: string, output: 'inherit' | 'pipe') =>
  spawn('npm', ['run', script], { stdio: ['ignore', output, output] })

const succeeds = async (child: ReturnType<typeof spawn>) => (await once(child, 'close'))[0] === 0

if (!(await succeeds(start('test:unit', 'inherit')))) process.exit(1)
const browser = start('test:browser', 'pipe')
const printed: Buffer[] = []
for (const stream of [browser.stdout, browser.stderr]) stream?.on('data', (part: Buffer) => printed.push(part))
const results = await Promise.all([succeeds(start('test:e2e', 'inherit')), succeeds(browser)])
process.stdout.write(Buffer.concat(printed))
process.exitCode = results.every(Boolean) ? 0 : 1

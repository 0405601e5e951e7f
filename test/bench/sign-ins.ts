/**
 * `node test/bench/sign-ins.ts`: how long `/health` has to wait while 12 merchants sign in at once, each of which costs
 * a slow hash. Wants an idle machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/start-service.ts'

const merchants = 12

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const service = await startService({ port: await freePort(), persistTo })
try {
  const anyone = createClient(service.url)
  const accounts = Array.from({ length: merchants }, (_, i) => ({
    email: `m${i}@example.com`,
    password: `password ${i}`,
  }))
  for (const account of accounts) await anyone.expectSuccess('POST', '/merchant/sign-up', { ...account, name: 'M' })
  const signingIn = { isRunning: true }
  const waits: number[] = []
  const polls = (async () => {
    while (signingIn.isRunning) {
      const startedAt = performance.now()
      await (await fetch(`${service.url}/health`)).text()
      waits.push(performance.now() - startedAt)
      await sleep(10)
    }
  })()
  const startedAt = performance.now()
  await Promise.all(accounts.map(async (account) => await anyone.expectSuccess('POST', '/merchant/sign-in', account)))
  const took = performance.now() - startedAt
  signingIn.isRunning = false
  await polls
  process.stdout.write(
    `${merchants} sign-ins at once took ${took.toFixed(0)} ms; /health waited at most ${Math.max(...waits).toFixed(0)} ms, ` +
      `of ${waits.length} requests\n`,
  )
} finally {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

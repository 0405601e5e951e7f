/**
 * `npm run soak`: real garments and real receivers that answer well, badly, slowly, for ever or not at all, while
 * messages are dropped and doubled, database calls fail, and the process is killed and started again. Ends with an
 * account, and exits non-zero if an event was lost, is stuck, or was sent more often than it may be.
 *
 * --seconds 120   how long the run takes, about
 * --events 10000  uploads so many, for as long as it takes
 * --kills 2       how many times the process is killed
 * --no-latency    leaves out the measurement of latency and fairness
 * --json          ends with the account as one line
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeJpeg } from '../../src/vision/image/jpeg/encode-jpeg.ts'
import { makeFlatLay } from '../../src/vision/training/flat-lay/make-flat-lay.ts'
import { startHttpHost } from '../support/http-host.ts'
import { freePort } from '../support/free-port.ts'
import { takeAccount, type Account } from './account.ts'
import { measureLatency } from './measure-latency.ts'
import { runLoad } from './run-load.ts'
import { writeConfig } from './write-config.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    events: { type: 'string' },
    kills: { type: 'string', default: '2' },
    'no-latency': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** The service's clock runs this much faster than ours. */
const clockFactor = 6
/** Seconds of the service's clock. */
const retryDelays = '5,5,10,10,10,10,20,20'
/** What does not end is stuck when nothing else has ended for this long. */
const maxQuietMs = 60_000
/** What a run needs besides loading: starting, measuring, and the last retries. */
const otherSeconds = options['no-latency'] ? 45 : 85

const seconds = Math.max(Number(options.seconds) - otherSeconds, 10)
const say = (text: string) => console.error(text)

// In memory where there is such a file system, so that the service and not the disk bounds how many events there are.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const persistTo = mkdtempSync(join(base, 'garment-tagging-soak-'))
const host = await startHttpHost()

function storePictures(): string[] {
  const sizes = [64, 96, 128]
  const pictures = sizes.map((size, i) =>
    host.store(
      `${size}.jpg`,
      encodeJpeg(makeFlatLay(i + 1, { width: size, height: Math.round((size * 4) / 3) }).picture),
    ),
  )
  // One in ten has no picture: a tagging that fails has its event too.
  return [...pictures, ...pictures, ...pictures, `${host.origin}/files/missing?status=404`]
}

async function soak(pictures: readonly string[]): Promise<{ account: Account; problems: string[] }> {
  const load = await runLoad({
    host,
    pictures,
    say,
    kills: Number(options.kills),
    maxEvents: options.events === undefined ? Infinity : Number(options.events),
    maxSeconds: options.events === undefined ? seconds : Infinity,
    service: {
      port: await freePort(),
      persistTo,
      config: writeConfig(),
      vars: {
        SOAK_CLOCK_FACTOR: String(clockFactor),
        SOAK_CLOCK_START: String(Date.now()),
        WEBHOOK_RETRY_DELAYS: retryDelays,
        RATE_LIMIT_PER_MINUTE: '10000',
        SIGN_IN_LIMIT_PER_MINUTE: '10000',
        ALLOW_LOCAL_TARGETS: 'true',
        JWT_SECRET: crypto.randomUUID() + crypto.randomUUID(),
        ENCRYPTION_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
      },
    },
  })
  const { state } = load
  let unended = state.unended()
  for (let quietMs = 0; unended > 0 && quietMs < maxQuietMs; quietMs += 500) {
    await sleep(500)
    const before = unended
    unended = state.unended()
    if (unended !== before) quietMs = 0
  }
  // What was sent too often would be sent now.
  await sleep(2000)
  await load.stop()
  const result = takeAccount({
    tenants: load.tenants.map(({ kind, secret, events }) => ({
      name: kind.name,
      expected: kind.expected,
      secret,
      events,
      requests: host.received(kind.name),
    })),
    garments: state.garments(),
    attempts: state.attempts(),
    kills: load.kills,
  })
  state.close()
  return result
}

process.once('exit', () => rmSync(persistTo, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

let failed = true
try {
  const pictures = storePictures()
  if (!options['no-latency']) await measureLatency(host, pictures[0]!, tmpdir(), say)
  const { account, problems } = await soak(pictures)
  for (const problem of problems.slice(0, 20)) say(problem)
  if (problems.length > 20) say(`... and ${problems.length - 20} more`)
  if (options.json) console.log(JSON.stringify(account))
  else for (const [name, value] of Object.entries(account)) console.log(`${name.padEnd(24)}${value}`)
  failed = account.lost + account.stuck + account.unexplainedDuplicates + problems.length > 0
} finally {
  await host.close()
}
process.exitCode = failed ? 1 : 0

/**
 * `npm run soak`: uploads garments and delivers to receivers that succeed, fail, respond slowly or never, while queue
 * messages are lost and duplicated, database calls fail, and the process is killed and restarted. Prints a report and
 * exits with 1 if an event was lost, is stuck or was delivered too often.
 *
 * --seconds 120   approximate duration
 * --events 10000  uploads this many garments instead, however long it takes
 * --kills 2       number of kills
 * --databases 3   the tenants spread over so many databases
 * --outage 300    databases fail for this many seconds of the service's clock, from 20 s after the start
 * --failing 2     the number of the database that fails then; all of them by default
 * --no-latency    skips the measurement of latency
 * --json          prints the report as one line of JSON
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { startHttpHost } from '../support/http-host.ts'
import { freePort } from '../support/free-port.ts'
import { writeConfig } from '../support/write-config.ts'
import { createReport, type Report } from './report.ts'
import { measureEndpoints } from './measure-endpoints.ts'
import { measureLatency } from './measure-latency.ts'
import { runLoad } from './run-load.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    events: { type: 'string' },
    kills: { type: 'string', default: '2' },
    databases: { type: 'string', default: '1' },
    outage: { type: 'string', default: '0' },
    failing: { type: 'string' },
    'no-latency': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

/** The service's clock runs this many times faster. */
const clockFactor = 6
const outageAfterMs = 20_000
/** Delays in seconds of the service's clock. */
const retryDelays = '5,5,10,10,10,10,20,20'
/** Work is stuck if nothing finishes for this long: the sweep may defer a garment by an hour of the service's clock. */
const maxQuietMs = (3600_000 + 120_000) / clockFactor
/** Time for starting, measuring and the last retries. */
const otherSeconds = options['no-latency'] ? 45 : 85

const seconds = Math.max(Number(options.seconds) - otherSeconds, 10)
const say = (text: string) => console.error(text)

// In memory if possible, so that the disk does not limit the throughput.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const persistTo = mkdtempSync(join(base, 'garment-tagging-soak-'))
const host = await startHttpHost()

function storePictures() {
  const sizes = [64, 96, 128]
  const pictures = sizes.map((size, i) =>
    host.store(
      `${size}.jpg`,
      encodeJpeg(makeFlatLay(i + 1, { width: size, height: Math.round((size * 4) / 3) }).picture),
    ),
  )
  return [...pictures, ...pictures, ...pictures]
}

async function soak(
  imageUrls: readonly string[],
  missingImageUrl: string,
): Promise<{ report: Report; problems: string[] }> {
  const startMs = Date.now() + outageAfterMs
  const outage = { startMs, endMs: startMs + (Number(options.outage) * 1000) / clockFactor }
  const load = await runLoad({
    host,
    imageUrls,
    missingImageUrl,
    say,
    kills: Number(options.kills),
    maxEvents: options.events === undefined ? Infinity : Number(options.events),
    maxSeconds: options.events === undefined ? seconds : Infinity,
    service: {
      port: await freePort(),
      persistTo,
      config: writeConfig({ main: 'test/soak/worker.ts', databases: Number(options.databases) }),
      vars: {
        SOAK_CLOCK_FACTOR: String(clockFactor),
        SOAK_CLOCK_START: String(Date.now()),
        SOAK_OUTAGE_START: String(outage.startMs),
        SOAK_OUTAGE_END: String(outage.endMs),
        ...(options.failing === undefined ? {} : { SOAK_OUTAGE_DATABASE: options.failing }),
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
  // Wait for possible duplicates.
  await sleep(2000)
  await load.stop()
  const result = createReport({
    receivers: load.tenants.flatMap(({ receivers, secret, events, withoutImage }) =>
      receivers.map(({ kind: { name, expected }, endpoint }) => ({
        name,
        endpoint,
        expected,
        secret,
        events,
        withoutImage,
        requests: host.received(name),
      })),
    ),
    garments: state.garments(),
    attempts: state.attempts(),
    kills: load.kills,
    outage,
  })
  state.close()
  return result
}

process.once('exit', () => rmSync(persistTo, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

let failed = true
try {
  // One in ten images does not exist, because failed taggings have events too.
  const missingImageUrl = `${host.origin}/files/missing?status=404`
  const imageUrls = [...storePictures(), missingImageUrl]
  if (!options['no-latency']) {
    await measureLatency(host, imageUrls[0] ?? '', tmpdir(), say)
    await measureEndpoints(host, imageUrls[0] ?? '', tmpdir(), say)
  }
  const { report, problems } = await soak(imageUrls, missingImageUrl)
  for (const problem of problems.slice(0, 20)) say(problem)
  if (problems.length > 20) say(`... and ${problems.length - 20} more`)
  if (options.json) console.log(JSON.stringify(report))
  else for (const [name, value] of Object.entries(report)) console.log(`${name.padEnd(24)}${value}`)
  failed = report.lost + report.stuck + report.wronglyFailed + report.unexplainedDuplicates + problems.length > 0
} finally {
  await host.close()
}
process.exitCode = failed ? 1 : 0

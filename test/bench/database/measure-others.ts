import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../src/db/client.ts'
import { getGarment } from '../../../src/garment/get-garment.ts'
import { uploadGarment } from '../../../src/garment/upload-garment.ts'
import { quantile } from '../../support/quantile.ts'
import { threadMs } from './thread-clock.ts'

const rounds = 2
const roundMs = 60_000

/** Between two requests: an upload, then a read of it, in turn. */
const pauseMs = 5

const tenantId = 'other'

const most = 1_000_000_000
const quotas = { garments: most, import_lines: most, text_bytes: most, files: most, file_bytes: most }

/**
 * How long another tenant's reads and uploads take, from when they are due to their end. All time is processor time of
 * this thread, on which the database and both tenants run, so that other load on the machine does not count. Minutes
 * without removal and minutes that begin with a sweep, as in service, take turns.
 */
export async function compareOthers(db: Database, nowMs: number, sweep: () => Promise<unknown>): Promise<string[]> {
  const without: number[] = []
  const during: number[] = []
  const inSweep: number[] = []
  let requests = 0

  async function request(number: number): Promise<void> {
    const uuid = `new-${Math.floor(requests++ / 2)}`
    if (number % 2 === 1) return void (await getGarment(db, tenantId, uuid))
    const upload = { uuid, imageUrl: 'https://images.example/x', attribute: {}, origin: '' }
    await uploadGarment(db, tenantId, upload, { maxWaiting: 1_000_000, quotas, nowMs })
  }

  async function measureRound(times: number[], isSweeping: () => boolean): Promise<void> {
    const startedAt = threadMs()
    const all: Promise<void>[] = []
    for (let number = 0; number * pauseMs < roundMs; number++) {
      const dueAt = startedAt + number * pauseMs
      while (threadMs() < dueAt) await nextTurn()
      const wasSweeping = isSweeping()
      const ended = request(number).then(() => {
        const ms = threadMs() - dueAt
        times.push(ms)
        if (wasSweeping) inSweep.push(ms)
      })
      all.push(ended)
    }
    await Promise.all(all)
  }

  for (let round = 0; round < rounds; round++) {
    await measureRound(without, () => false)
    let sweeping = true
    const swept = sweep().then(() => (sweeping = false))
    await measureRound(during, () => sweeping)
    await swept
  }
  const describe = (times: readonly number[]) =>
    `median ${quantile(times, 0.5).toFixed(2)} ms, 95th percentile ${quantile(times, 0.95).toFixed(2)} ms, ` +
    `longest ${Math.max(...times).toFixed(1)} ms, of ${times.length}`
  const ratio = quantile(during, 0.95) / quantile(without, 0.95)
  return [
    `another tenant's requests in a minute without removal: ${describe(without)}`,
    `another tenant's requests in a minute with a sweep: ${describe(during)}`,
    `  95th percentile ${ratio.toFixed(2)} of that without; those within a sweep: ${describe(inSweep)}`,
  ]
}

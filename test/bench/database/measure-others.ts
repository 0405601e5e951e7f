import { pictureAt } from '../../../src/garments/pictures/garment-picture.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../src/platform/db/database.ts'
import { tenantState } from '../../../src/platform/db/schema.ts'
import { getGarment } from '../../../src/garments/garment.ts'
import { uploadGarment } from '../../../src/garments/upload-garment.ts'
import { quantile } from '../../support/quantile.ts'
import { threadMs } from './thread-clock.ts'
import { noQuotas } from '../../support/stored-garment/no-quotas.ts'

const minuteMs = 60_000

/** Pause between two requests. Uploads and reads alternate. */
const pauseMs = 5

const tenantId = 'other'

interface Sweeps {
  /** Runs the sweep. */
  readonly name: string
  readonly sweep: () => Promise<unknown>
  /** Returns true if another minute should begin with a sweep. */
  readonly hasMore: (minutes: number) => boolean
}

/**
 * Measures how long another tenant's reads and uploads take, from when they are due to their end. All times are CPU
 * times of this thread, which runs the database and both tenants, so other load on the machine does not count. Idle
 * time is skipped. Minutes without a sweep alternate with minutes that begin with one.
 */
export async function compareOthers(db: Database, nowMs: number, { name, sweep, hasMore }: Sweeps) {
  await db.insert(tenantState).values({ tenantId, domain: 'shop.example', createdAt: 0 }).onConflictDoNothing()
  const without: number[] = []
  const during: number[] = []
  const inSweep: number[] = []
  let requests = 0
  let skippedMs = 0
  const clock = () => threadMs() + skippedMs

  async function request(number: number): Promise<void> {
    const uuid = `new-${Math.floor(requests++ / 2)}`
    if (number % 2 === 1) return void (await getGarment(db, tenantId, uuid))
    const upload = { uuid, pictures: [pictureAt('https://images.example/x')], attribute: {}, origin: '' }
    await uploadGarment(db, tenantId, upload, { maxWaiting: 1_000_000, quotas: noQuotas, nowMs })
  }

  async function measureMinute(times: number[], isSweeping: () => boolean): Promise<void> {
    const startedAt = clock()
    const all: Promise<void>[] = []
    let underWay = 0
    for (let number = 0; number * pauseMs < minuteMs; number++) {
      const dueAt = startedAt + number * pauseMs
      while (clock() < dueAt) {
        if (underWay === 0 && !isSweeping()) skippedMs += dueAt - clock()
        else await nextTurn()
      }
      const wasSweeping = isSweeping()
      underWay++
      const ended = request(number).then(() => {
        underWay--
        const ms = clock() - dueAt
        times.push(ms)
        if (wasSweeping) inSweep.push(ms)
      })
      all.push(ended)
    }
    await Promise.all(all)
  }

  for (let minutes = 0; hasMore(minutes); minutes++) {
    await measureMinute(without, () => false)
    let sweeping = true
    const swept = sweep().then(() => (sweeping = false))
    await measureMinute(during, () => sweeping)
    await swept
  }
  const describe = (times: readonly number[]) =>
    `median ${quantile(times, 0.5).toFixed(2)} ms, 95th percentile ${quantile(times, 0.95).toFixed(2)} ms, ` +
    `longest ${Math.max(...times).toFixed(1)} ms, of ${times.length}`
  const ratio = quantile(during, 0.95) / quantile(without, 0.95)
  const lines = [
    `another tenant's requests in a minute without ${name}: ${describe(without)}`,
    `another tenant's requests in a minute with ${name}: ${describe(during)}`,
    `  95th percentile ${ratio.toFixed(2)} of that without; those while it runs: ${describe(inSweep)}`,
  ]
  return { ratio, lines }
}

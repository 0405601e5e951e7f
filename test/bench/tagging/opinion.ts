/**
 * `node test/bench/tagging/opinion.ts`: by how much a second opinion delays a garment of the real service, with a model
 * that answers after 150 ms and with one that never answers. Garments without one and with each take turns, so that
 * other load on the machine is the same for all; `--garments 20` is their number. Compares the shortest times of the
 * batches, which other load has changed least, and fails if a goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpHost } from '../../support/http-host.ts'
import { quantile } from '../../support/quantile.ts'
import { startService } from '../../support/start-service.ts'
import { writeConfig } from '../../support/write-config.ts'

const { values } = parseArgs({ options: { garments: { type: 'string', default: '20' } } })
const garments = Number(values.garments)
const timeoutMs = 1000
const goals = { answers: 250, hangs: 1.1 * timeoutMs }

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-opinion-'))
const host = await startHttpHost()
const service = await startService({
  port: await freePort(),
  persistTo,
  config: writeConfig({ main: 'test/bench/tagging/opinion-worker.ts', databases: 1 }),
  vars: { RATE_LIMIT_PER_MINUTE: '10000', SECOND_OPINION_TIMEOUT_MS: String(timeoutMs) },
})
try {
  const { client } = await createMerchant(service.url, 'Opinion')
  const picture = encodeJpeg(makeFlatLay(11, { width: 1200, height: 1600 }).picture, 90)
  const image_url = host.store('garment.jpg', picture)
  const readTimes = async () =>
    (await (await fetch(`${service.url}/test/times`)).json()) as Record<'none' | keyof typeof goals, number[]>
  const countOf = async () => Object.values(await readTimes()).flat().length
  let count = 0
  // The first of each starts the isolate.
  for (let i = 0; i <= garments; i++) {
    for (const behaviour of ['none', 'answers', 'none', 'hangs']) {
      await client.upload({ uuid: `${behaviour}-${count++}`, image_url, attribute: {} })
      while ((await countOf()) < count) await sleep(20)
    }
  }
  const times = await readTimes()
  const describe = (ms: readonly number[]) => `shortest ${Math.min(...ms)} ms, median ${quantile(ms, 0.5)} ms`
  const report = (text: string) => process.stdout.write(`${text}\n`)
  report(`without: ${describe(times.none)}, of ${times.none.length}`)
  for (const [behaviour, goal] of [
    ['answers', goals.answers],
    ['hangs', goals.hangs],
  ] as const) {
    const longer = Math.min(...times[behaviour]) - Math.min(...times.none)
    const isMissed = longer > goal
    if (isMissed) process.exitCode = 1
    report(`a model that ${behaviour}: ${describe(times[behaviour])}`)
    report(`  ${longer} ms longer, at most ${goal}${isMissed ? ' MISSED' : ''}`)
  }
} finally {
  await service.stop()
  await host.close()
  rmSync(persistTo, { recursive: true, force: true })
}

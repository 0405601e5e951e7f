import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpHost } from '../support/http-host.ts'
import { startService } from '../support/start-service.ts'
import { writeConfig } from '../support/write-config.ts'
import { realisticGarment } from '../support/stored-garment/realistic-garment.ts'
import { addCounts, noCounts, type Counts } from './counts.ts'

/** A label with all values, so that all crops are stored. */
const labelFile = join(import.meta.dirname, '../fixtures/labels/002.jpg')

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

interface Measurement {
  readonly garments: number
  /** Returns the processor time of the service so far. */
  readonly readCpuMs: () => number
}

/**
 * Runs the real service with counted bindings. Garments are uploaded, tagged, delivered at the first attempt, queried
 * once and deleted. Returns what one garment used, and what one more query, one search, one uncached view of an
 * annotated picture, and a picture of a label use.
 */
export async function measureCounts({ garments, readCpuMs }: Measurement) {
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-cost-'))
  const host = await startHttpHost()
  const service = await startService({
    port: await freePort(),
    persistTo,
    config: writeConfig({ main: 'test/cost/worker.ts', databases: 1 }),
    vars: { RATE_LIMIT_PER_MINUTE: '10000' },
  })
  const read = async (path: string): Promise<Counts> => ({
    ...((await (await fetch(`${service.url}/test/${path}`)).json()) as Counts),
    cpuMs: readCpuMs(),
  })
  try {
    const { client } = await createMerchant(service.url, 'Cost')
    await client.putWebhookConfig({
      enabled: true,
      url: `${host.origin}/to/cost?status=200&text=${'x'.repeat(200)}`,
      secret,
      headers: {},
    })
    /** Each garment has its own picture, because a duplicate costs more. */
    async function run(uuid: string, seed: number, label?: Uint8Array): Promise<string> {
      const picture = encodeJpeg(makeFlatLay(seed, { width: 1200, height: 1600 }).picture)
      const image_url = host.store(`${uuid}.jpg`, picture)
      const images = label && [
        { url: image_url },
        { url: host.store(`${uuid}-label.jpg`, label), kind: 'label' as const },
      ]
      const before = host.received('cost').length
      const { attribute } = realisticGarment(seed)
      await client.upload({ uuid, attribute, ...(images ? { images } : { image_url }) })
      for (let waited = 0; host.received('cost').length === before; waited += 20) {
        if (waited > 60_000) throw new Error(`No webhook came.\n${service.output()}`)
        await sleep(20)
      }
      const { annotated_img: address } = await client.query(uuid)
      return address
    }
    // The attempt is stored after the receiver has responded.
    const settled = async () => {
      let last = ''
      for (let counts = ''; counts !== last || last === '';) {
        last = counts
        await sleep(500)
        counts = JSON.stringify({ ...(await read('counts')), cpuMs: 0 })
      }
      return await read('counts')
    }

    // The first garment creates the day's counters and starts the objects, so it is not counted.
    await run('first', garments)
    await settled()
    const before = await read('expire')
    const addresses: string[] = []
    for (let i = 0; i < garments; i++) addresses.push(await run(`garment-${i}`, i))
    const queried = await settled()
    for (let i = 0; i < garments; i++) await client.query(`garment-${i}`)
    const polled = await settled()
    for (let i = 0; i < garments; i++) await client.garments({ q: 'red dress' }).next()
    const searched = await settled()
    for (const address of addresses) await (await fetch(address)).arrayBuffer()
    const viewed = await settled()
    const after = await read('expire')
    const label = readFileSync(labelFile)
    for (let i = 0; i < garments; i++) await run(`labelled-${i}`, i, label)
    const labelled = await settled()
    const between = (from: Counts, to: Counts): Counts => {
      const each = noCounts()
      for (const name of Object.keys(each) as (keyof Counts)[]) each[name] = (to[name] - from[name]) / garments
      return each
    }
    const [poll, search, view] = [between(queried, polled), between(polled, searched), between(searched, viewed)]
    const garment = addCounts(between(before, queried), between(viewed, after), 1)
    return { garment, poll, search, view, label: addCounts(between(after, labelled), between(before, queried), -1) }
  } finally {
    await service.stop()
    await host.close()
    rmSync(persistTo, { recursive: true, force: true })
  }
}

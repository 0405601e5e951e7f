/**
 * `node test/bench/import.ts`: what an import of 10,000 lines by API costs. Prints how long it takes until they are
 * accepted, how many requests it takes until its progress is known, and by how much the heap of the service's isolate
 * grows meanwhile.
 *
 * --lines 10000
 * --format csv     or json, one object a line
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createClient } from '../../src/client/create-client.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/start-service.ts'
import { watchIsolate } from './hostile/watch-isolate.ts'

const { values: options } = parseArgs({
  options: { lines: { type: 'string', default: '10000' }, format: { type: 'string', default: 'csv' } },
})
const count = Number(options.lines)

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-import-'))
const [port, inspectorPort] = [await freePort(), await freePort()]
const service = await startService({ port, persistTo, inspectorPort })

const uploads = (name: string, length: number) =>
  Array.from({ length }, (_, i) => ({
    uuid: `${name}-${i}`,
    // Nothing listens at this address, so only the import is measured.
    image_url: `http://127.0.0.1:9/catalogue/autumn/${name}-${i}.jpg`,
    attribute: { Brand: 'Ann', Category: 'Clothing', Gender: "Women's", Material: 'Cotton' },
  }))

const csvOf = (all: ReturnType<typeof uploads>) =>
  `uuid,image_url,Brand,Category,Gender,Material\n${all
    .map(({ uuid, image_url, attribute }) => [uuid, image_url, ...Object.values(attribute)].join(','))
    .join('\n')}\n`

try {
  const { apiKey, domain } = await createMerchant(service.url, 'Import')
  let requests = 0
  const client = createClient({
    url: service.url,
    apiKey,
    domain,
    fetch: async (url, init) => {
      requests++
      return await fetch(url, init)
    },
  })
  const send = async (name: string, length: number) => {
    const all = uploads(name, length)
    return await client.importGarments(options.format === 'csv' ? csvOf(all) : all)
  }
  // The code is loaded, nothing is read.
  const { id: first } = await send('first', 10)
  await client.pauseImport(first, true)
  const idle = await watchIsolate(service.url, inspectorPort, async () => {})
  requests = 0
  let [acceptedMs, accepted, id] = [0, 0, '']
  const busy = await watchIsolate(service.url, inspectorPort, async () => {
    const began = performance.now()
    ;({ accepted, id } = await send('stock', count))
    acceptedMs = performance.now() - began
  })
  await client.pauseImport(id, true)
  const { totals } = await client.getImport(id)
  const figures = [
    `${accepted} of ${totals.lines} lines accepted in ${(acceptedMs / 1000).toFixed(1)} s`,
    `${requests} requests`,
    `heap ${idle.heapMb} MB before, at most ${busy.heapMb} MB`,
    `/health at most ${busy.healthMs} ms`,
  ]
  process.stdout.write(`${options.format}: ${figures.join('; ')}\n`)
} finally {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
}

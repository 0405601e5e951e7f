import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { databaseFiles } from '../soak/read-state.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { useHttpHost } from './support/use-http-host.ts'
import { startService, type RunningService } from '../support/start-service.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const host = await useHttpHost()
let service: RunningService

afterAll(async () => {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
})

/** Calls `use` with each database of the service. */
function withDatabases<T>(use: (database: DatabaseSync) => T): T[] {
  return databaseFiles(persistTo).map((file) => {
    const database = new DatabaseSync(file)
    try {
      return use(database)
    } finally {
      database.close()
    }
  })
}

const garments = () =>
  withDatabases((database) => database.prepare('SELECT uuid, status, tries FROM garments ORDER BY uuid').all()).flat()

it('a process that is killed keeps all data, and costs garments that wait for their pictures no try', async () => {
  const port = await freePort()
  service = await startService({ port, persistTo, vars: { RATE_LIMIT_PER_MINUTE: '1000' } })
  const { client } = await createMerchant(service.url, 'Killed')
  const picture = host.store('garment.jpg', encodeJpeg(makeFlatLay(11, { width: 300, height: 400 }).picture))
  const before = await client.uploadAndWait({ uuid: '0', image_url: picture })
  const uuids = ['a', 'b', 'c']
  // Different paths, so that the host's list shows whose picture was requested.
  for (const uuid of uuids) await client.upload({ uuid, image_url: `${host.origin}/to/waiting?silent&of=${uuid}` })
  // The first one has started. The others wait in the tenant's backlog until it ends.
  await expect.poll(() => host.received('waiting').length).toBe(1)
  await service.kill()
  const done = { uuid: '0', status: 'complete', tries: 1 }
  expect(garments()).toEqual([done, ...uuids.map((uuid) => ({ uuid, status: 'queuing', tries: 0 }))])

  // Simulates that a minute has passed and the host has recovered.
  withDatabases((database) => {
    const waiting = "SELECT uuid FROM garments WHERE status = 'queuing'"
    database.prepare(`UPDATE pictures SET url = ? WHERE garment_uuid IN (${waiting})`).run(picture)
    database.prepare("UPDATE garments SET due_at = 1 WHERE status = 'queuing'").run()
  })
  service = await startService({ port, persistTo, vars: { RATE_LIMIT_PER_MINUTE: '1000' } })
  expect(await client.query('0')).toEqual(before)
  expect((await fetch(before.annotated_img)).status).toBe(200)
  // The sweep enqueues them, because its alarm has survived.
  for (const uuid of uuids) while ((await client.query(uuid)).status !== 'complete') await sleep(50)
  expect(garments()).toEqual([done, ...uuids.map((uuid) => ({ uuid, status: 'complete', tries: 1 }))])
})

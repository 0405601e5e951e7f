import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, assert, beforeAll, expect, it } from 'vitest'
import { addDatabases } from '../../src/local/database-bindings.ts'
import { databaseNumberOf } from '../../src/db/databases/database-number.ts'
import { encodeJpeg } from '../../src/vision/image/jpeg/encode-jpeg.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { databaseFiles } from '../soak/read-state.ts'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpHost, type HttpHost } from '../support/http-host.ts'
import { startService, type RunningService } from '../support/start-service.ts'
import { writeConfig } from '../support/write-config.ts'
import { accountId, apiToken, startCloudflareApi } from './support/cloudflare-api.ts'
import { copyProject } from './support/copy-project.ts'
import { runAsOperator } from './support/run-as-operator.ts'

const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const persistTo = join(folder, 'state')
const backup = join(folder, 'backup.sqlite')
const operatorToken = 'an operator token for tests, long enough'
const project = copyProject()

let port: number
let service: RunningService
let host: HttpHost
let api: Awaited<ReturnType<typeof startCloudflareApi>>
const restored: string[] = []

const start = async () =>
  await startService({
    port,
    persistTo,
    vars: { RATE_LIMIT_PER_MINUTE: '1000', OPERATOR_TOKEN: operatorToken },
    config: writeConfig({ databases: 2 }),
    startTimeoutMs: 120_000,
  })

/** The file of the second database: the one that has no accounts. */
function secondFile(): string {
  const file = databaseFiles(persistTo).find((path) => {
    const database = new DatabaseSync(path, { readOnly: true })
    const { count } = database.prepare('SELECT count(*) AS count FROM merchants').get() as { count: number }
    database.close()
    return count === 0
  })
  assert(file !== undefined)
  return file
}

/** As Time Travel does: the database is what it was, and everything else is as it is. */
async function restore(name: string, bookmark: string): Promise<void> {
  restored.push(`${name} ${bookmark}`)
  const file = secondFile()
  await service.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  copyFileSync(backup, file)
  service = await start()
}

const run = async (command: string) =>
  await runAsOperator(api.url, command, { folder: project, env: { OPERATOR_TOKEN: operatorToken } })

beforeAll(async () => {
  port = await freePort()
  ;[host, api, service] = await Promise.all([startHttpHost(), startCloudflareApi({ restore }), start()])
}, 180_000)

afterAll(async () => {
  await Promise.all([service.stop(), host.close(), api.close()])
  rmSync(folder, { recursive: true, force: true })
  rmSync(project, { recursive: true, force: true })
})

/** New tenants go to either database. */
async function newTenantInSecond(name: string) {
  for (;;) {
    const merchant = await createMerchant(service.url, name)
    const { id } = await merchant.client.getTenant()
    if (databaseNumberOf(id) === 2) return { ...merchant, id }
  }
}

const statusOf = async (url: string) => (await fetch(url)).status

it('a restored database revives no deleted tenant, and pictures and rows that lack each other are reported', async () => {
  const image_url = host.store('garment.jpg', encodeJpeg(makeFlatLay(11, { width: 300, height: 400 }).picture))
  const [kept, gone] = [await newTenantInSecond('Kept'), await newTenantInSecond('Gone')]
  const tag = async ({ client }: typeof kept, uuid: string) => {
    await client.upload({ uuid, image_url })
    const { annotated_img: picture } = await client.wait(uuid)
    assert(typeof picture === 'string')
    return picture
  }
  const stays = await tag(kept, 'stays')
  const deleted = await tag(kept, 'deleted')
  const ofGone = await tag(gone, 'of-gone')
  const database = new DatabaseSync(secondFile())
  database.exec(`VACUUM INTO '${backup}'`)
  database.close()

  const added = await tag(kept, 'added')
  await kept.client.delete('deleted')
  await gone.client.deleteTenant()
  const young = await newTenantInSecond('Young')

  for (const name of ['garment-tagging-staging', 'garment-tagging-staging-2']) {
    const headers = { authorization: `Bearer ${apiToken}` }
    await fetch(`${api.url}/accounts/${accountId}/d1/database`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name }),
    })
  }
  // As `npm run databases` does.
  const toml = join(project, 'wrangler.toml')
  writeFileSync(toml, addDatabases(readFileSync(toml, 'utf8'), 'staging', 1)?.toml ?? '')
  const report = resolve(folder, 'report.json')
  const at = new Date(Date.now() - 1000).toISOString()
  const command = `npm run --silent restore -- --database DB2 --service ${service.url} --report ${report}`
  const { code, output } = await run(`${command} --env staging --to ${at}`)
  expect([code, output]).toEqual([0, expect.stringContaining('To undo this')])
  expect(restored).toEqual([`garment-tagging-staging-2 of ${at}`])

  expect(await statusOf(stays)).toBe(200)
  expect(await statusOf(ofGone)).toBe(404)
  expect(await gone.client.query('of-gone').catch((error: unknown) => error)).toMatchObject({ status: 401 })
  expect((await kept.client.query('stays')).complete).toBe(true)
  expect(await kept.client.query('added').catch((error: unknown) => error)).toMatchObject({ status: 404 })
  const keyOf = (picture: string) => new URL(picture).pathname.replace('/garment-tagging/', '')
  const found = JSON.parse(readFileSync(report, 'utf8')) as Record<string, string[]>
  expect(found['picturesWithoutRow']).toContain(keyOf(added))
  expect(found['rowsWithoutPicture']).toContain(keyOf(deleted))
  expect(Object.values(found).flat()).not.toContain(keyOf(stays))

  const status = await fetch(`${service.url}/status`, { headers: { Authorization: `Bearer ${operatorToken}` } })
  expect(await status.json()).toMatchObject({ data: { tagging: { paused: true }, deliveries: { paused: true } } })
  const resume = { method: 'PUT', body: JSON.stringify({ tagging: false, deliveries: false }) }
  const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' }
  await fetch(`${service.url}/operator/pause`, { ...resume, headers })
  expect(await statusOf(await tag(young, 'first'))).toBe(200)

  const again = await run(command)
  expect([again.code, again.output]).toEqual([0, expect.stringContaining('0 tenants, accounts and keys')])
  const wrong = await run(`${command} --to ${at}`)
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('--env and --to belong together')])
}, 300_000)

import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAsOperator } from './support/run-as-operator.ts'

const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-restore-'))
const steps: string[] = []

/** In place of the service, which has nothing to delete or to compare, and is told what wrangler is to do. */
const service = createServer((request, response) => {
  void text(request).then((body) => {
    // Directly after the restore, the table of pauses may be one that the Worker does not know.
    const isUnknown = request.url === '/operator/pause' && steps.at(-1)?.endsWith('time-travel restore') === true
    if (request.url === '/operator/pause') steps.push('pause')
    if (request.url === '/wrangler') steps.push(body)
    const data = { deleted: 0, hosted: 0, stored: [], needed: [], allowed: [], cursor: null }
    response.writeHead(isUnknown ? 500 : 200).end(JSON.stringify({ status: !isUnknown, data, error: [], message: '' }))
  })
})

const fakeWrangler = `fetch(process.env.SERVICE + '/wrangler', { method: 'POST', body: process.argv.slice(2, 5).join(' ') })
  .then(() => console.log('{"bookmark":"b"}'))`

beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
  for (const path of ['src/local', 'src/db']) cpSync(path, join(folder, path), { recursive: true })
  mkdirSync(join(folder, 'node_modules/wrangler/bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'node_modules/wrangler/package.json'), '{"name":"wrangler"}')
  writeFileSync(join(folder, 'node_modules/wrangler/bin/wrangler.js'), fakeWrangler)
  symlinkSync(resolve('node_modules/drizzle-orm'), join(folder, 'node_modules/drizzle-orm'))
})

afterAll(() => {
  service.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a restore pauses tagging and deliveries again at once, and, if that fails, after the migrations', async () => {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const at = new Date(Date.now() - 1000).toISOString()
  const command = `${process.execPath} src/local/restore.ts --env staging --database DB --service ${url} --to ${at}`
  const env = { OPERATOR_TOKEN: 'token', SERVICE: url }
  const { code, output } = await runAsOperator('', command, { folder, env })
  expect([code, output]).toEqual([0, expect.stringContaining('To undo this')])
  expect(steps).toEqual([
    'pause',
    'd1 time-travel info',
    'd1 time-travel restore',
    'pause',
    'd1 migrations apply',
    'pause',
  ])
})

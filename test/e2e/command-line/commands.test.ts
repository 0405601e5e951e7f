import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { encodeJpeg } from '../../../src/vision/image/jpeg/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpHost, type HttpHost } from '../../support/http-host.ts'
import { startService, type RunningService } from '../../support/start-service.ts'
import { buildPackage, run, start } from './run-command.ts'

const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
/** Enough for each test but that of the limit, so that no other one has to wait for a minute. */
const vars = { RATE_LIMIT_PER_MINUTE: '12' }
const { picture } = makeFlatLay(11, { width: 600, height: 800 })

let service: RunningService
let host: HttpHost
let imageUrl: string

beforeAll(async () => {
  buildPackage()
  host = await startHttpHost()
  imageUrl = host.store('garment.jpg', encodeJpeg(picture))
  service = await startService({ port: await freePort(), persistTo: join(dir, 'state'), vars })
})

afterAll(async () => {
  await service.stop()
  await host.close()
  rmSync(dir, { recursive: true, force: true })
})

/** A new tenant, as the environment that the command line takes instead of a sign-in. */
async function newTenant(name: string) {
  const { apiKey, domain, client } = await createMerchant(service.url, name)
  const env = { GARMENT_TAGGING_URL: service.url, GARMENT_TAGGING_API_KEY: apiKey, GARMENT_TAGGING_DOMAIN: domain }
  return { env, client }
}

/** Encoded as some spreadsheets still save it. */
function write(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text, 'latin1')
  return path
}

describe('garment-tagging sign-up and sign-in', () => {
  it('store a key that only the user can read, replace it and delete it', async () => {
    const config = join(dir, 'config/user.json')
    const env = { GARMENT_TAGGING_CONFIG: config }
    const account = ['--email', 'cli@example.com', '--url', service.url]
    const signUp = await run(['sign-up', ...account, '--domain', 'cli.example'], env, 'a long password\n')
    expect([signUp.code, signUp.stderr]).toEqual([0, expect.stringContaining('tenant cli.example')])
    expect(statSync(config).mode & 0o777).toBe(0o600)
    const first = readFileSync(config, 'utf8')
    expect(first).not.toContain('password')
    expect((await run(['query', 'none'], env)).stderr).toContain('Garment not found')

    const wrong = await run(['sign-in', '--email', 'cli@example.com'], env, 'another password\n')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^Invalid credentials/)])
    expect(readFileSync(config, 'utf8')).toBe(first)

    const withPassword = { ...env, GARMENT_TAGGING_PASSWORD: 'a long password' }
    expect((await run(['sign-in', '--email', 'cli@example.com'], withPassword)).code).toBe(0)
    const { apiKey } = JSON.parse(first) as { apiKey: string }
    const old = createClient({ url: service.url, apiKey, domain: 'cli.example' })
    await expect(old.query('none')).rejects.toMatchObject({ status: 401 })
    expect((await run(['query', 'none'], env)).stderr).toContain('Garment not found')

    expect((await run(['sign-out'], env)).code).toBe(0)
    const signedOut = await run(['query', 'none'], env)
    expect([signedOut.code, signedOut.stderr]).toEqual([1, expect.stringMatching(/^Not signed in/)])
  })
})

it('garment-tagging sign-up says how to continue if only the domain was refused', async () => {
  const env = { GARMENT_TAGGING_CONFIG: join(dir, 'config/half.json'), GARMENT_TAGGING_PASSWORD: 'a long password' }
  const account = ['--email', 'half@example.com', '--url', service.url]
  const signUp = await run(['sign-up', ...account, '--domain', 'not a domain'], env)
  expect([signUp.code, signUp.stderr]).toEqual([
    1,
    expect.stringMatching(/run "garment-tagging sign-in".*\n.*domain: /),
  ])
  expect((await run(['sign-in', ...account, '--domain', 'half.example'], env)).code).toBe(0)
})

describe('garment-tagging upload', () => {
  it('uploads an image, waits and prints the result as JSON; query and export have it too', async () => {
    const { env } = await newTenant('One')
    const uploaded = await run(['upload', imageUrl, '--uuid', 'größe/1', '--attribute', 'Brand=Ann=Bob'], env)
    expect([uploaded.code, uploaded.stderr]).toEqual([0, expect.stringContaining('Tagging: 1/1')])
    const garment = JSON.parse(uploaded.stdout) as unknown
    expect(garment).toMatchObject({ uuid: 'größe/1', complete: true, tag: { Brand: 'Ann=Bob' } })
    const queried = await run(['query', 'größe/1', '--wait'], env)
    expect(JSON.parse(queried.stdout)).toEqual(garment)
    const partly = await run(['query', 'größe/1', 'nope', 'größe/1'], env)
    expect([partly.code, JSON.parse(partly.stdout)]).toEqual([1, [garment, garment]])
    expect(partly.stderr).toMatch(/^nope: Garment not found/)
    const exported = await run(['export', '--status', 'complete'], env)
    expect(JSON.parse(exported.stdout)).toMatchObject([{ uuid: 'größe/1', image_url: imageUrl }])
    const file = join(dir, 'export.csv')
    expect((await run(['export', '--output', file], env)).stdout).toBe('')
    expect(readFileSync(file, 'utf8')).toMatch(/^uuid,status,.*\r\ngröße\/1,complete,.*\r\n$/)
  })

  it('uploads a CSV file beyond the rate limit, and saves what came of it', async () => {
    const { env, client } = await newTenant('Many')
    const others = Array.from({ length: 11 }, (_, i) => `other-${i}`)
    const lines = [
      'UUID;Image URL;Brand;Material',
      `a;${imageUrl};"Änn; Bob";Cotton`,
      `b;${host.origin}/files/none.jpg;;`,
      'c;ftp://example.com/c.jpg;;',
      ...others.map((uuid) => `${uuid};${imageUrl};;`),
    ]
    const file = join(dir, 'results.csv')
    const { code, stdout, stderr } = await run(
      ['upload', '--csv', write('many.csv', lines.join('\n')), '-o', file],
      env,
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('line 4: c was refused. Invalid request: image_url')
    expect(stderr).toMatch(/^b could not be tagged: .*404/m)
    const rows = readFileSync(file, 'utf8').trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/^uuid,status,failure_reason,failure_code,description,annotated_img,Brand,/)
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).toEqual([
      ['a', 'complete'],
      ['b', 'failed'],
      ...others.map((uuid) => [uuid, 'complete']),
    ])
    expect(rows[1]).toContain('Änn; Bob')
    expect((await client.query('a')).tag).toMatchObject({ Brand: 'Änn; Bob', Material: 'Cotton' })
  }, 240_000)

  it('uploads nothing of a CSV file that has a mistake', async () => {
    const { env, client } = await newTenant('Mistakes')
    const text = `uuid,image_url\na,${imageUrl}\nb,\na,${imageUrl}\nc,"open\n`
    const { code, stderr } = await run(['upload', '--csv', '-'], env, text)
    expect([code, stderr.split('\n').slice(0, 4)]).toEqual([
      1,
      [
        'The file cannot be uploaded:',
        expect.stringMatching(/^ {2}line 5: A quote is not closed/),
        '  line 3: uuid and image_url must not be empty.',
        '  line 4: The uuid a is on line 2 too.',
      ],
    ])
    const unnamed = await run(['upload', '--csv', '-'], env, `id,url\na,${imageUrl}\n`)
    expect(unnamed.stderr).toContain('There is no column uuid and no column image_url.')
    expect((await client.exportPage()).garments).toEqual([])
  })

  it('ends with 130 when it is interrupted', async () => {
    const { env } = await newTenant('Interrupted')
    const uploading = start(['upload', `${host.origin}/to/silent?silent`], env)
    await expect.poll(() => uploading.output.stderr, { timeout: 20_000 }).toContain('uuid is')
    uploading.interrupt()
    expect((await uploading.ended).code).toBe(130)
  })
})

describe('garment-tagging listen', () => {
  it('shows verified webhooks, refuses others, and leaves the configuration as it was', async () => {
    const { env, client } = await newTenant('Listening')
    const before = { enabled: false, url: 'http://127.0.0.1:1/', secret: 'own', headers: { 'X-Own': 'yes' } }
    await client.putWebhookConfig(before)
    const port = await freePort()
    const listening = start(['listen', '--port', String(port), '--test'], env)
    await expect.poll(() => listening.output.stdout, { timeout: 20_000 }).toMatch(/verified {2}webhook\.test\n/)
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"event":"tagging.completed"}' })
    expect(forged.status).toBe(401)
    await client.upload({ uuid: 'heard', image_url: imageUrl })
    await expect.poll(() => listening.output.stdout, { timeout: 20_000 }).toMatch(/tagging\.completed {2}heard {2}A /)
    listening.interrupt()
    const { code, stderr } = await listening.ended
    expect([code, stderr]).toEqual([0, expect.stringContaining('Refused a request. The webhook could not be verified')])
    expect(await client.getWebhookConfig()).toEqual(before)
  })

  it('does not take the webhook from a receiver unasked', async () => {
    const { env, client } = await newTenant('Busy')
    const config = { enabled: true, url: `${host.origin}/to/busy`, secret: '', headers: {} }
    await client.putWebhookConfig(config)
    const { code, stderr } = await run(['listen', '--test'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('add --replace')])
    expect(await client.getWebhookConfig()).toEqual(config)
    const replaced = await run(['listen', '--test', '--replace', '--count', '1', '--json'], env)
    expect(JSON.parse(replaced.stdout)).toMatchObject({ event: 'webhook.test' })
    expect(await client.getWebhookConfig()).toEqual(config)
  })
})

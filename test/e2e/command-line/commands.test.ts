import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { useHttpHost } from '../support/use-http-host.ts'
import { newTenant, run, start } from './run-command.ts'

const serviceUrl = inject('sharedServiceUrl')
const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const { picture } = makeFlatLay(11, { width: 600, height: 800 })

const host = await useHttpHost()
const imageUrl = host.store('garment.jpg', encodeJpeg(picture))

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

describe('garment-tagging sign-up and sign-in', () => {
  it('store a key that only the user can read, replace it and delete it', async () => {
    const config = join(dir, 'config/user.json')
    const env = { GARMENT_TAGGING_CONFIG: config }
    const account = ['--email', 'cli@example.com', '--url', serviceUrl]
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
    const old = createClient({ url: serviceUrl, apiKey, domain: 'cli.example' })
    await expect(old.query('none')).rejects.toMatchObject({ status: 401 })
    expect((await run(['query', 'none'], env)).stderr).toContain('Garment not found')

    expect((await run(['sign-out'], env)).code).toBe(0)
    const signedOut = await run(['query', 'none'], env)
    expect([signedOut.code, signedOut.stderr]).toEqual([1, expect.stringMatching(/^Not signed in/)])
  })
})

it('garment-tagging sign-up says how to continue if only the domain was refused', async () => {
  const env = { GARMENT_TAGGING_CONFIG: join(dir, 'config/half.json'), GARMENT_TAGGING_PASSWORD: 'a long password' }
  const account = ['--email', 'half@example.com', '--url', serviceUrl]
  const signUp = await run(['sign-up', ...account, '--domain', 'not a domain'], env)
  expect([signUp.code, signUp.stderr]).toEqual([
    1,
    expect.stringMatching(/run "garment-tagging sign-in".*\n.*domain: /),
  ])
  expect((await run(['sign-in', ...account, '--domain', 'half.example'], env)).code).toBe(0)
})

describe('garment-tagging upload', () => {
  it('uploads an image, waits and prints the result as JSON; query and export have it too', async () => {
    const { env } = await newTenant(serviceUrl, 'One')
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
    expect(readFileSync(file, 'utf8')).toMatch(/^uuid,exported_at,status,.*\r\ngröße\/1,[^,]*,complete,.*\r\n$/)
  })

  it('ends with 130 when it is interrupted', async () => {
    const { env } = await newTenant(serviceUrl, 'Interrupted')
    const uploading = start(['upload', `${host.origin}/to/silent?silent`], env)
    await expect.poll(() => uploading.output.stderr).toContain('uuid is')
    uploading.interrupt()
    expect((await uploading.ended).code).toBe(130)
  })
})

describe('garment-tagging correct, redeliver and delete', () => {
  it('repair what was wrong with a garment of an image file', async () => {
    const { env, client } = await newTenant(serviceUrl, 'Repairs')
    await client.putWebhookConfig({ enabled: true, url: `${host.origin}/to/repairs`, secret: '', headers: {} })
    const file = join(dir, 'shirt.jpg')
    writeFileSync(file, encodeJpeg(picture))
    expect((await run(['upload', file, '--uuid', 'r', '--attribute', 'Brand=Bob'], env)).code).toBe(0)

    const others = ['back.jpg', 'label.jpg'].map((name, i) => {
      const other = join(dir, name)
      writeFileSync(other, encodeJpeg({ ...picture, height: picture.height - 1 - i }))
      return other
    })
    const several = await run(['upload', file, ...others, imageUrl, '--uuid', 'several'], env)
    expect((JSON.parse(several.stdout) as { images: { height: number }[] }).images.map(({ height }) => height)).toEqual(
      [0, 1, 2, 0].map((less) => picture.height - less),
    )

    const options = ['--tag', 'Colour=Navy', '--attribute', 'Brand=Ann', '--measurement', 'Chest (cm)=52.5']
    const corrected = await run(['correct', 'r', ...options], env)
    expect([corrected.code, JSON.parse(corrected.stdout)]).toMatchObject([
      0,
      { tag: { Colour: 'Navy', Brand: 'Ann' }, measurements: { 'Chest (cm)': 52.5 } },
    ])
    const takenBack = await run(['correct', 'r', '--tag', 'Colour='], env)
    expect((JSON.parse(takenBack.stdout) as { corrected: string[] }).corrected).toEqual(['Chest (cm)'])

    await expect.poll(async () => (await client.getDelivery('r')).status).toBe('delivered')
    const sent = host.received('repairs').length
    const again = await run(['redeliver', 'r'], env)
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { garment_uuid: 'r' }])
    await expect.poll(() => host.received('repairs').length).toBe(sent + 1)
    const range = await run(['redeliver', '--from', '2026-01-01T00:00:00Z', '--to', '2100-01-01T00:00:00Z'], env)
    expect([range.code, range.stderr]).toEqual([0, 'The service sends them in the background.\n'])

    const deleted = await run(['delete', 'nope', 'r'], env)
    expect([deleted.code, deleted.stderr]).toEqual([
      1,
      expect.stringMatching(/^nope: Garment not found.*\nDeleted r\.$/m),
    ])
    expect((await run(['query', 'r'], env)).stderr).toContain('Garment not found')
  })
})

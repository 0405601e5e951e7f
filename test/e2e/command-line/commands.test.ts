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

describe('garment-tagging sign-in', () => {
  it('creates the tenant, stores a key that only the user can read, and replaces it', async () => {
    const config = join(dir, 'config/user.json')
    const env = { GARMENT_TAGGING_CONFIG: config }
    const account = { email: 'cli@example.com', password: 'a long password' }
    await createClient({ url: serviceUrl }).signUp({ ...account, name: 'Ann' })
    const signIn = ['sign-in', '--email', account.email]
    const refused = await run([...signIn, '--url', serviceUrl], env, `${account.password}\n`)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Give --domain to create it.')])
    const first = await run([...signIn, '--url', serviceUrl, '--domain', 'cli.example'], env, `${account.password}\n`)
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('tenant cli.example')])
    expect(statSync(config).mode & 0o777).toBe(0o600)
    const stored = readFileSync(config, 'utf8')
    expect(stored).not.toContain('password')
    expect(await run(['export'], env)).toMatchObject({ code: 0, stdout: '[]\n' })

    const wrong = await run(signIn, env, 'another password\n')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^Invalid credentials/)])
    expect(readFileSync(config, 'utf8')).toBe(stored)

    expect((await run(signIn, { ...env, GARMENT_TAGGING_PASSWORD: account.password })).code).toBe(0)
    const { apiKey } = JSON.parse(stored) as { apiKey: string }
    const revoked = createClient({ url: serviceUrl, apiKey, domain: 'cli.example' })
    await expect(revoked.query('none')).rejects.toMatchObject({ status: 401 })
    expect(await run(['export'], env)).toMatchObject({ code: 0, stdout: '[]\n' })
  })
})

describe('garment-tagging upload', () => {
  it('uploads an image, waits and prints the result as JSON, and export has it too', async () => {
    const { env } = await newTenant(serviceUrl, 'One')
    const uploaded = await run(['upload', imageUrl, '--uuid', 'größe/1', '--attribute', 'Brand=Ann=Bob'], env)
    expect([uploaded.code, uploaded.stderr]).toEqual([0, expect.stringContaining('Tagging: 1/1')])
    expect(JSON.parse(uploaded.stdout)).toMatchObject({ uuid: 'größe/1', complete: true, tag: { Brand: 'Ann=Bob' } })
    const exported = await run(['export', '--status', 'complete'], env)
    expect(JSON.parse(exported.stdout)).toMatchObject([{ uuid: 'größe/1', image_url: imageUrl }])
    const file = join(dir, 'export.csv')
    expect((await run(['export', '--output', file], env)).stdout).toBe('')
    expect(readFileSync(file, 'utf8')).toMatch(/^uuid,exported_at,status,.*\r\ngröße\/1,[^,]*,complete,.*\r\n$/)
  })

  it('ends with 130 when it is interrupted', async () => {
    const { env } = await newTenant(serviceUrl, 'Interrupted')
    const uploading = start(['upload', `${host.origin}/to/silent?silent`], env)
    await expect.poll(() => uploading.output.stderr).toContain('UUID is')
    uploading.interrupt()
    expect((await uploading.ended).code).toBe(130)
  })
})

describe('garment-tagging upload and redeliver', () => {
  it('upload image files as one garment and send its webhook once more', async () => {
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

    await expect.poll(async () => (await client.getDelivery('r')).status).toBe('delivered')
    const sent = host.received('repairs').length
    const again = await run(['redeliver', 'r'], env)
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { garment_uuid: 'r' }])
    await expect.poll(() => host.received('repairs').length).toBe(sent + 1)
    const range = await run(['redeliver', '--from', '2026-01-01T00:00:00Z', '--to', '2100-01-01T00:00:00Z'], env)
    expect([range.code, range.stderr]).toEqual([0, 'The service sends the webhooks in the background.\n'])
  })
})

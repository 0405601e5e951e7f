import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import weightsFile from '../../src/vision/network/weights.json' with { type: 'json' }
import { startService, type RunningService } from '../support/start-service.ts'

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const vars = { PUBLIC_URL: 'https://tags.example', ALLOW_LOCAL_TARGETS: 'false', SIGN_UP: 'open' }

let service: RunningService

beforeAll(async () => {
  service = await startService({ port: await freePort(), persistTo, vars })
})

afterAll(async () => {
  await service.stop()
  rmSync(persistTo, { recursive: true, force: true })
})

/** Sends a request without following redirects. `fetch` would follow them to hosts that do not exist here. */
const send = async (method: string, path: string, headers: Record<string, string> = {}) =>
  await new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>(
    (resolve, reject) => {
      const sent = request(service.url + path, { method, headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      sent.on('error', reject)
      sent.end()
    },
  )

describe('with an https PUBLIC_URL', () => {
  it.each(['/docs', '/docs/', '/docs/guides/first-garment', '/dashboard', '/health'])(
    '%s tells browsers to use it, and has a request id',
    async (path) => {
      const { headers } = await send('GET', path)
      expect(headers['strict-transport-security']).toBe('max-age=15552000')
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it('a stylesheet and a sample cost no run of the Worker', async () => {
    for (const path of ['/assets/base.css', '/samples/shirt.jpg']) {
      const { status, headers } = await send('GET', path)
      expect([status, headers['x-request-id'], headers['x-content-type-options']]).toEqual([200, undefined, 'nosniff'])
    }
  })

  it('the networks are not public', async () => {
    for (const hash of weightsFile.parts)
      expect(JSON.parse((await send('GET', `/networks/${hash}.bin`)).text)).toMatchObject({ code: 'not_found' })
  })

  it('files have their own headers all the same, and 404 and 405 of the Worker have the envelope', async () => {
    const page = await send('GET', '/docs/guides/first-garment')
    expect([page.status, page.headers['content-security-policy']]).toEqual([200, expect.stringContaining('script-src')])
    expect(page.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    const cached = await send('GET', '/assets/base.css', {
      'If-None-Match': String((await send('GET', '/assets/base.css')).headers['etag']),
    })
    expect([cached.status, cached.text]).toEqual([304, ''])
    expect((await send('HEAD', '/assets/base.css')).status).toBe(200)
    expect(JSON.parse((await send('GET', '/docs/nothing')).text)).toMatchObject({ message: 'Not found' })
    expect(JSON.parse((await send('POST', '/docs/guides/first-garment')).text)).toMatchObject({
      message: 'Method not allowed',
    })
    expect((await send('POST', '/assets/base.css')).status).toBe(405)
  })

  it('examples of the documentation call the service at which they are read, also without scripts', async () => {
    expect((await send('GET', '/docs/guides/first-garment')).text).toContain(` S=${service.url}\n`)
    expect((await send('GET', '/docs/postman.json')).text).toContain(`"value": "${service.url}"`)
    expect((await send('GET', '/docs/operations/deploying')).text).toContain('https://tagging.example.com')
  })

  it('a browser gets a page where the documentation has none, with the headers of its pages', async () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'If-None-Match': '"x"' }
    const { status, text, headers } = await send('GET', '/docs/guides/nothing?<script>', browser)
    expect([status, headers['content-type']]).toEqual([404, expect.stringContaining('text/html')])
    expect(text).toContain('<h1>Page not found</h1>')
    expect(text).not.toContain('<script>')
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=15552000',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('etag')
    expect(await send('HEAD', '/docs/guides/nothing', browser)).toMatchObject({ status: 404, text: '' })
    for (const [path, Accept] of [
      ['/docs/guides/nothing', 'application/json'],
      ['/docs/guides/nothing', '*/*'],
      ['/assets/nothing', browser.Accept],
    ] as const)
      expect(JSON.parse((await send('GET', path, { Accept })).text)).toMatchObject({ code: 'not_found' })
  })
})

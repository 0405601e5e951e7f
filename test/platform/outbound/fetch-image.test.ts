// The Workers runtime, not Node.js, makes the requests.
import 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import {
  fetchImage,
  ImageError,
  type ImagePolicy,
  imageProblem,
  type Intake,
  NoRoomError,
} from '../../../src/platform/outbound/fetch-image.ts'

const host = inject('httpHost')
const policy: ImagePolicy = {
  settings: { ALLOW_LOCAL_TARGETS: true, OWN_HOSTS: [], PUBLIC_URL: undefined },
  ownOrigin: 'https://service.example',
}
const strict = {
  ...policy,
  settings: { ALLOW_LOCAL_TARGETS: false, OWN_HOSTS: [], PUBLIC_URL: 'https://tags.example' },
}
const to = (query: string) => `${host}/to/image?${query}`

const anyRoom: Intake = { reserve: () => true, checkStart: () => {} }

async function faultOf(url: string, how = policy, timeoutMs?: number): Promise<ImageError> {
  try {
    await fetchImage(url, how, anyRoom, timeoutMs)
  } catch (error) {
    if (error instanceof ImageError) return error
    throw error
  }
  throw new Error('no fault')
}

describe('the image fetcher', () => {
  it('returns the bytes, whatever type the host declares', async () => {
    const bytes = await fetchImage(to('text=the%20bytes&type=text/plain'), policy, anyRoom)
    expect(new TextDecoder().decode(bytes)).toBe('the bytes')
  })

  it.each([1, 65_535, 65_536, 65_537, 131_072, 300_000])(
    'returns %i bytes within twice that memory, whether the length is declared or not',
    async (length) => {
      const bytes = crypto.getRandomValues(new Uint8Array(65_536))
      const sent = Uint8Array.from({ length }, (_, i) => (bytes[i % bytes.length] ?? 0) + (i >> 16))
      const file = `${host}/files/${length}`
      await fetch(file, { method: 'PUT', body: sent })
      for (const query of ['', `?content-length=${length}`]) {
        let taken = 0
        const got = await fetchImage(file + query, policy, { ...anyRoom, reserve: (count) => (taken += count) > 0 })
        expect(got.toHex() === sent.toHex()).toBe(true)
        expect(taken).toBeLessThanOrEqual(query === '' || length < 65_536 ? Math.max(2 * length, 65_536) : length + 1)
      }
    },
  )

  it('follows redirects, relative ones too', async () => {
    const last = encodeURIComponent('/to/image?text=arrived')
    const bytes = await fetchImage(
      to(`status=302&location=${encodeURIComponent(to(`status=301&location=${last}`))}`),
      policy,
      anyRoom,
    )
    expect(new TextDecoder().decode(bytes)).toBe('arrived')
  })

  it('treats a redirect loop as final', async () => {
    // The address of a fragment is the page itself.
    const fault = await faultOf(to('status=302&location=%23again'))
    expect(fault).toMatchObject({ kind: 'permanent', message: 'image_url redirects more than 5 times.' })
  })

  it.each([400, 401, 403, 404, 410])('treats HTTP %i as final', async (status) => {
    const fault = await faultOf(to(`status=${status}`))
    expect(fault).toMatchObject({ kind: 'permanent', message: `The image host answered with HTTP ${status}.` })
  })

  it.each([408, 429, 500, 502, 503])('treats HTTP %i as temporary', async (status) => {
    expect(await faultOf(to(`status=${status}`))).toMatchObject({ kind: 'passing' })
  })

  it.each([201, 203])('takes the picture of HTTP %i', async (status) => {
    const bytes = await fetchImage(to(`status=${status}&text=the%20bytes`), policy, anyRoom)
    expect(new TextDecoder().decode(bytes)).toBe('the bytes')
  })

  it('reads no more of an answer than its first bytes if they are not those of a picture', async () => {
    const refusal = new Error('no picture')
    const starts: number[] = []
    let taken = 0
    const intake = {
      reserve: (count: number) => (taken += count) > 0,
      checkStart: (start: Uint8Array) => {
        starts.push(start.length)
        throw refusal
      },
    }
    await expect(fetchImage(to('body=endless'), policy, intake)).rejects.toBe(refusal)
    await expect(fetchImage(to('text=short'), policy, intake)).rejects.toBe(refusal)
    expect(starts).toEqual([512, 5])
    expect(taken).toBeLessThanOrEqual(2 * 65_536)
  })

  it('names an encoding that is declared but not there', async () => {
    expect(await faultOf(to('body=gzip-lie&text=a%20picture'))).toMatchObject({
      kind: 'permanent',
      message:
        'The image host declares the encoding gzip (Content-Encoding), but the image could not be decoded by it.',
    })
  })

  it('treats an unknown host as final where the runtime does not name the fault', async () => {
    for (const scheme of ['http', 'https'])
      expect(await faultOf(`${scheme}://no-such-host.invalid/x.jpg`)).toMatchObject({
        kind: 'permanent',
        message: 'The image host does not exist.',
      })
  })

  it('treats a failed TLS handshake of a host that exists as temporary', async () => {
    expect(await faultOf(to('text=x').replace('http:', 'https:'))).toMatchObject({ kind: 'passing' })
  })

  it('treats an empty answer as final', async () => {
    expect(await faultOf(to('text='))).toMatchObject({ kind: 'permanent', message: 'The image is empty.' })
  })

  it('stops an endless answer at 20 MiB', async () => {
    expect(await faultOf(to('body=endless'))).toMatchObject({
      kind: 'permanent',
      message: 'The image has more than 20 MiB.',
    })
  })

  it('refuses a declared length above 20 MiB before anything arrives', async () => {
    expect(await faultOf(to('body=stall&content-length=104857600'))).toMatchObject({
      kind: 'permanent',
      message: 'The image has more than 20 MiB.',
    })
  })

  it('asks for the formats that it reads, not for any image', async () => {
    await fetchImage(`${host}/to/accept-header`, policy, anyRoom)
    const received = await (await fetch(`${host}/received/accept-header`)).json<{ headers: Record<string, string> }[]>()
    expect(received[0]?.headers['accept']).toBe('image/jpeg, image/png, image/webp')
  })

  it('stops as soon as there is no memory left for the next bytes', async () => {
    let left = 100_000
    const reserve = (bytes: number) => (left -= bytes) >= 0
    await expect(fetchImage(to('body=endless'), policy, { ...anyRoom, reserve })).rejects.toThrow(NoRoomError)
  })

  it('counts the bytes after decompression', async () => {
    expect(await faultOf(to('body=gzip-bomb'))).toMatchObject({ message: 'The image has more than 20 MiB.' })
  })

  it('treats a lost or refused connection as temporary', async () => {
    for (const url of [to('hang-up'), 'http://127.0.0.1:9/x.jpg'])
      expect(await faultOf(url)).toMatchObject({
        kind: 'passing',
        message: expect.stringContaining('could not be reached'),
      })
  })

  it('treats a host that does not exist as final, and one that is not reached as temporary', async () => {
    const page = (status: number, code: number) =>
      to(`status=${status}&server=cloudflare&cf-ray=8f1c-FRA&text=${encodeURIComponent(`error code: ${code}`)}`)
    const missing = { kind: 'permanent', message: 'The image host does not exist.' }
    expect(await faultOf(page(530, 1016))).toMatchObject(missing)
    expect(await faultOf(page(521, 521))).toMatchObject({ kind: 'passing' })
    expect(await faultOf(to('status=530'))).toMatchObject({ kind: 'passing', message: expect.stringContaining('530') })
  })

  it('gives up after its time on a host that is silent, stalls or drips', async () => {
    const queries = ['silent', 'body=stall', 'body=drip']
    const faults = await Promise.all(queries.map((query) => faultOf(to(query), policy, 2000)))
    for (const fault of faults)
      expect(fault).toMatchObject({ kind: 'passing', message: expect.stringContaining('within 2 s') })
  })

  it('has 15 seconds unless another time is given', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await fetchImage(to('text=bytes'), policy, anyRoom)
    expect(timeout).toHaveBeenCalledWith(15_000)
    timeout.mockRestore()
  })
})

describe('the address of an image', () => {
  it.each([
    'http://127.0.0.1/x.jpg',
    'http://2130706433/x.jpg',
    'http://0x7f.1/x.jpg',
    'http://[::1]/x.jpg',
    'http://localhost/x.jpg',
    'http://metadata/x.jpg',
    'http://db.internal/x.jpg',
    'https://service.example/garment-tagging/annotated/a/b',
    'https://tags.example/x.jpg',
    'ftp://a.example/x.jpg',
    'https://user:pass@a.example/x.jpg',
  ])('must not be %s', (url) => {
    expect(imageProblem(url, strict)).toEqual(expect.any(String))
  })

  it('may be on any public host, also over http', () => {
    for (const url of ['http://a.example/x.jpg', 'https://cdn.a.example:8443/x?y=z'])
      expect(imageProblem(url, strict)).toBe(null)
  })

  it('is checked again before the request is made', async () => {
    expect(await faultOf('http://127.0.0.1/x.jpg', strict)).toMatchObject({ kind: 'permanent' })
  })
})

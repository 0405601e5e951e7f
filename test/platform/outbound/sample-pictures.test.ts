import { describe, expect, it } from 'vitest'
import { getGarment } from '../../../src/garments/garment.ts'
import { imageProblem, samplePath, samplePictures } from '../../../src/platform/outbound/fetch-image.ts'
import { bindings, call, databaseOf, newTenant, tagInBackground } from '../../service.ts'

const policy = {
  settings: { OWN_HOSTS: ['b.example'], PUBLIC_URL: 'https://a.example', ALLOW_LOCAL_TARGETS: false },
  ownOrigin: 'https://c.example:8443',
}

describe('a sample picture', () => {
  it.each(['https://a.example', 'https://b.example', 'https://c.example:8443', 'http://a.example'])(
    'is known below %s',
    (origin) => {
      expect(samplePath(`${origin}/samples/dress.jpg`, policy)).toBe('/samples/dress.jpg')
      expect(imageProblem(`${origin}/samples/dress.jpg`, policy)).toBe(null)
    },
  )

  it.each([
    'https://a.example/samples/none.jpg',
    'https://a.example/samples/../health',
    'https://a.example/samples/dress.jpg?x',
    'https://user@a.example/samples/dress.jpg',
    'https://c.example/samples/dress.jpg',
  ])('is not taken for %s, which stays refused', (url) => {
    expect(samplePath(url, policy)).toBe(null)
    expect(imageProblem(url, policy)).not.toBe(null)
  })

  it('is not taken for a host that is too long to be parsed, which a fuzzer found to throw', () => {
    const url = `http://1${'__proto__'.repeat(2450)}`
    expect(samplePath(url, policy)).toBe(null)
    expect(imageProblem(url, policy)).not.toBe(null)
  })

  it('of another host is an address like any other', () => {
    expect(samplePath('https://other.example/samples/dress.jpg', policy)).toBe(null)
    expect(imageProblem('https://other.example/samples/dress.jpg', policy)).toBe(null)
  })

  it.each(samplePictures)('%s is served', async (name) => {
    const response = await bindings.ASSETS.fetch(`https://service.test/samples/${name}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
  })

  it('is tagged without a request', async () => {
    tagInBackground()
    const { auth, tenantId } = await newTenant()
    // Nothing listens at this host: the file is read from the service itself.
    const image_url = 'http://service.test/samples/t-shirt.jpg'
    expect((await call('POST', '/garment-tagging/upload', auth, { uuid: 'sample', image_url })).status).toBe(200)
    // Not by the API, which answers only six times a minute.
    const stored = async () => await getGarment(databaseOf(tenantId), tenantId, 'sample')
    await expect.poll(async () => (await stored()).status).toBe('complete')
    const garment = (await call('GET', '/garment-tagging/query?uuid=sample', auth)).body.data
    expect(garment.tag).toMatchObject({ 'Item Type': 'T-Shirt' })
  })
})

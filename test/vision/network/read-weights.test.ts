import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { loadOnce } from '../../../src/vision/network/get-network.ts'
import { readWeights } from '../../../src/vision/network/read-weights.ts'
import weightsFile from '../../../src/vision/network/weights.json'

const parts = ['first', 'second']
const hashOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex()
const names = await Promise.all(parts.map(hashOf))
const bytes = parts.join('').length

/** Assets with these contents, in the order in which they are asked for. */
const assets = (...contents: readonly (string | null)[]) => {
  const left = [...contents]
  return {
    async fetch() {
      const content = left.shift() ?? null
      return content === null ? new Response(null, { status: 404 }) : new Response(content)
    },
  }
}

describe('the weights', () => {
  it('are parts of static assets below the limit of one, one after the other', async () => {
    const file = await readWeights(assets(...parts), { bytes, parts: names })
    expect(new TextDecoder().decode(file)).toBe('firstsecond')
    expect(weightsFile.bytes / weightsFile.parts.length).toBeLessThan(25 * 1024 * 1024)
    expect((await readWeights(env.ASSETS, weightsFile)).byteLength).toBe(weightsFile.bytes)
  })

  it.each([
    ['a part is missing', ['first', null], bytes, '404'],
    ['a part is not what its name says', ['first', 'sEcond'], bytes, 'have the hash'],
    ['a part is longer than all together', ['first', 'second and more'], bytes, 'out of bounds'],
    ['all together are shorter', ['first', 'second'], bytes + 1, 'in place of'],
  ] as const)('are refused where %s', async (_, contents, expectedBytes, message) => {
    await expect(readWeights(assets(...contents), { bytes: expectedBytes, parts: names })).rejects.toThrow(message)
  })
})

describe('what an isolate loads once', () => {
  it('is loaded once for five that need it at the same time', async () => {
    let loads = 0
    const get = loadOnce(async () => {
      await scheduler.wait(1)
      return { load: ++loads }
    })
    const found = await Promise.all(Array.from({ length: 5 }, get))
    expect(new Set(found).size).toBe(1)
    expect(loads).toBe(1)
  })

  it('is loaded again after a failure', async () => {
    let loads = 0
    const get = loadOnce(async () => (++loads === 1 ? await Promise.reject(new Error('no answer')) : 'network'))
    await expect(get()).rejects.toThrow('no answer')
    expect(await get()).toBe('network')
  })

  it('is loaded by another where the first was cut off', async () => {
    let now = 0
    let loads = 0
    const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) }
    const get = loadOnce(async () => (++loads === 1 ? await new Promise<never>(() => {}) : 'network'), clock)
    void get()
    expect(await get()).toBe('network')
  })
})

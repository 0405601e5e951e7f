import { describe, expect, it } from 'vitest'
import { streamFile } from '../../../src/platform/http/stream-file.ts'

/** Endless, and tells how many parts were made and whether it has ended. */
function source() {
  const state = { made: 0, ended: false }
  async function* parts() {
    try {
      for (;;) yield `part ${++state.made}\n`
    } finally {
      state.ended = true
    }
  }
  return { parts: parts(), state }
}

describe('a file that is streamed', () => {
  it('is made as it is read, and one of three at a time that a tenant reads', async () => {
    const sources = Array.from({ length: 4 }, source)
    const open = await Promise.all(sources.slice(0, 3).map(async ({ parts }) => await streamFile('reader', parts)))
    await scheduler.wait(20)
    for (const { state } of sources.slice(0, 3)) expect(state.made).toBeLessThan(4)
    const next = async (tenantId: string) => await streamFile(tenantId, source().parts)
    await expect(next('reader')).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '60' } })
    await (await next('other')).cancel()
    await open[0]?.cancel()
    await expect.poll(() => sources[0]?.state.ended).toBe(true)
    await (await next('reader')).cancel()
    await Promise.all(open.slice(1).map(async (stream) => await stream.cancel()))
  })

  it('ends with the error of what makes it', async () => {
    async function* broken() {
      yield 'part'
      await Promise.reject(new Error('no database'))
    }
    await expect(new Response(await streamFile('broken', broken())).text()).rejects.toThrow('no database')
  })

  it('ends with an error when it takes too long', async () => {
    const { parts, state } = source()
    const stream = await streamFile('slow', parts, 30)
    await scheduler.wait(60)
    await expect(new Response(stream).text()).rejects.toThrow('A download has taken 30 ms')
    const { made } = state
    await scheduler.wait(20)
    expect(state.made).toBe(made)
  })
})

import { describe, expect, it } from 'vitest'
import { receiveFile } from '../../src/imports/receive-lines.ts'
import { newTenant, raw } from '../service.ts'

/** A body that is sent only as far as the test says. */
function slowBody(first: string) {
  const encoder = new TextEncoder()
  const state: { cancelled?: unknown; end: (text: string) => void } = { end: () => {} }
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first))
      state.end = (text) => {
        controller.enqueue(encoder.encode(text))
        controller.close()
      }
    },
    cancel: (reason) => void (state.cancelled = reason),
  })
  return { stream, state }
}

describe('files of a tenant that are being sent', () => {
  it('are three at a time, so that one more is refused and read no further; others go on', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const post = async (auth: Record<string, string>, body: BodyInit) =>
      await raw('POST', '/garment-tagging/import', { ...auth, 'Content-Type': 'text/csv' }, body)
    const begun = [1, 2, 3].map((n) => {
      const body = slowBody('uuid,image_url\n')
      return { body, answer: post(tenant.auth, body.stream), n }
    })
    await scheduler.wait(50)
    const refused = await post(tenant.auth, 'uuid,image_url\na,https://a.example/\n')
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_imports' }])
    expect((await post(other.auth, 'uuid,image_url\na,https://a.example/\n')).status).toBe(200)
    for (const { body, n } of begun) body.state.end(`${n},https://a.example/\n`)
    for (const { answer } of begun) expect((await answer).status).toBe(200)
  })

  it('are refused when they take too long, and read no further', async () => {
    const { stream, state } = slowBody('uuid')
    const request = new Request('https://s.example/', { method: 'POST', body: stream })
    const context = { req: { raw: request } } as Parameters<typeof receiveFile>[0]
    const received = receiveFile(context, 'slow', async () => void (await context.req.raw.text()), 20)
    await expect(received).rejects.toMatchObject({ status: 400, problems: [expect.stringContaining('within 0.02 s')] })
    await scheduler.wait(0)
    expect(state.cancelled).toMatchObject({ status: 400 })
  })
})

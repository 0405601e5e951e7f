import { describe, expect, it } from 'vitest'
import { receiveFile } from '../../src/imports/receive-import-file.ts'
import { newTenant, raw } from '../service.ts'

const file = 'uuid,image_url\na,https://a.example/\n'

const contextOf = (body: BodyInit) =>
  ({ req: { raw: new Request('https://s.example/', { method: 'POST', body }) } }) as Parameters<typeof receiveFile>[0]

describe('files of a tenant that are being sent', () => {
  it('are three at a time, so that one more is refused; others go on', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const post = async (auth: Record<string, string>) =>
      await raw('POST', '/garment-tagging/import', { ...auth, 'Content-Type': 'text/csv' }, file)
    const sent = Promise.withResolvers<void>()
    const begun = [1, 2, 3].map(() => receiveFile(contextOf(file), tenant.tenantId, () => sent.promise))
    const refused = await post(tenant.auth)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_imports' }])
    expect((await post(other.auth)).status).toBe(200)
    sent.resolve()
    await Promise.all(begun)
    expect((await post(tenant.auth)).status).toBe(200)
  })

  it('are refused when they take too long, and read no further', async () => {
    let reason: unknown
    const body = new ReadableStream({ cancel: (given) => void (reason = given) })
    const context = contextOf(body)
    const received = receiveFile(context, 'slow', async () => void (await context.req.raw.text()), 20)
    await expect(received).rejects.toMatchObject({ status: 400, problems: [expect.stringContaining('within 0.02 s')] })
    await expect.poll(() => reason).toMatchObject({ status: 400 })
  })
})

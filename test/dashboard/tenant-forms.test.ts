import { describe, expect, it } from 'vitest'
import { fillThrottle, newTenant, raw, password } from '../service.ts'
import { sessionOf } from './session-of.ts'

async function signedInTenant() {
  const { tenantId, merchant, domain } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    domain,
    tenantId,
    merchantId: merchant.id,
    post: async (path: string, body: BodyInit, headers = {}) =>
      await raw('POST', path, { ...session, ...headers }, body),
  }
}

const retryAfter = (response: Response) => Number(response.headers.get('retry-after'))

describe('a form on the page of the tenant answers with the status of its failure', () => {
  it('429 and the time to wait for a photograph and for a deletion that came too soon', async () => {
    const { tenantId, merchantId, post } = await signedInTenant()
    await fillThrottle(`dashboard-writes:${tenantId}`, 60)
    const photograph = await post('/dashboard/tenant/studios/photograph', new FormData())
    expect([photograph.status, retryAfter(photograph) > 0]).toEqual([429, true])

    await fillThrottle(`tenant-deletions:${merchantId}`, 60)
    const deletion = await post('/dashboard/tenant/delete', new URLSearchParams({ confirmation: 'shop', password }))
    expect([deletion.status, retryAfter(deletion) > 0]).toEqual([429, true])
  })

  it('400 for a deletion without the password, and the tenant stays', async () => {
    const { post } = await signedInTenant()
    for (const given of ['', 'another password']) {
      const refused = await post(
        '/dashboard/tenant/delete',
        new URLSearchParams({ confirmation: 'shop', password: given }),
      )
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not the current password')])
    }
    const deleted = await post('/dashboard/tenant/delete', new URLSearchParams({ confirmation: 'shop', password }))
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/dashboard?done=tenant-deleted'])
  })

  it('415 for a photograph that is not in a form with a file, in the words of the dashboard', async () => {
    const { post } = await signedInTenant()
    const response = await post('/dashboard/tenant/studios/photograph', new URLSearchParams({ studio: 'A' }))
    expect([response.status, await response.text()]).toEqual([
      415,
      expect.stringContaining('Submit the form from its page.'),
    ])
  })

  it('415 also for several of a member at once, of which none waits for itself', async () => {
    const { post } = await signedInTenant()
    const send = async () => (await post('/dashboard/tenant/studios/photograph', new URLSearchParams())).status
    expect(await Promise.all(Array.from({ length: 4 }, send))).toEqual([415, 415, 415, 415])
  })

  it('413 for a photograph that is too large', async () => {
    const { post } = await signedInTenant()
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': '100000000' }
    expect((await post('/dashboard/tenant/studios/photograph', '--x', headers)).status).toBe(413)
  })
})

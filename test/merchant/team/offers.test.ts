import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/db/schema.ts'
import { leastRoleOf } from '../../../src/merchant/team/permissions.ts'
import { isAtLeast } from '../../../src/merchant/team/roles.ts'
import { storeDeliveryError } from '../../../src/webhook/delivery-error.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { newVisitor, url } from '../../dashboard/webhook/visitor.ts'
import { insertGarment } from '../../review/complete-garment.ts'
import { databaseOf, newMember, newTenant, raw } from '../../service.ts'

/** An account with garments in each state, and deliveries to a webhook that we switched off. */
async function newBusyAccount() {
  const { merchantId, tenantId, add } = await newVisitor()
  await add({ url })
  const { id: endpoint } = await add({ url: 'http://127.0.0.1:9/search' })
  const db = databaseOf(tenantId)
  const off = {
    enabled: false,
    disabledReason: storeDeliveryError('always_failing', { since: '2026-11-01T00:00:00Z' }),
  }
  await db.update(webhookEndpoints).set(off).where(eq(webhookEndpoints.tenantId, tenantId))
  const failed = { status: 'failed', failureReason: 'no_garment', tag: null, measurements: null } as const
  await insertGarment(tenantId, 'complete', { attribute: '{"Studio":"Table"}' })
  await insertGarment(tenantId, 'sent')
  await insertGarment(tenantId, 'failed', failed)
  await insertGarment(tenantId, 'file', { ...failed, imageUrl: `upload:${crypto.randomUUID()}/1/a.jpg` })
  const sent = { tenantId, garmentUuid: 'sent', createdAt: 1, updatedAt: 1, status: 'permanently_failed' } as const
  await db.insert(deliveries).values({ ...sent, id: 'd', slot: `tagging ${endpoint}`, endpoint })
  return { merchantId, endpoint }
}

/** The routes that a page's links and forms lead to. */
function offersOf(html: string): string[] {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? ''
  const routesOf = (method: string, pattern: RegExp) =>
    [...main.matchAll(pattern)].map(([, path]) => `${method} ${path?.split(/[?#]/)[0]}`)
  return [
    ...routesOf('GET', /href="(\/dashboard[^"]*)"/g),
    ...routesOf('POST', /<form[^>]* method="post" action="([^"]*)"/g),
  ]
}

it.each(['reviewer', 'editor', 'owner'] as const)(
  'pages offer a member who is %s only what that role may use',
  async (role) => {
    const [{ merchantId, endpoint }, { merchant }] = [await newBusyAccount(), await newTenant()]
    const lists = ['/dashboard', '/dashboard/garments', ...(role === 'reviewer' ? [] : ['/dashboard/deliveries'])]
    const delivery = `/dashboard/delivery?uuid=sent&endpoint=${endpoint}`
    const pages = [
      ...lists.map((path) => [merchant.id, path] as const),
      ...lists.map((path) => [merchantId, path] as const),
      ...['complete', 'sent', 'failed', 'file'].map((uuid) => [merchantId, `/dashboard/garment?uuid=${uuid}`] as const),
      ...(role === 'reviewer' ? [] : [[merchantId, delivery] as const]),
    ]
    for (const [account, path] of pages) {
      const { id } = await newMember(account, role)
      const page = await raw('GET', path, await sessionOf(account, Date.now(), id))
      expect([path, page.status]).toEqual([path, 200])
      const refused = offersOf(await page.text()).filter((route) => !isAtLeast(role, leastRoleOf(route)))
      expect([path, refused]).toEqual([path, []])
    }
  },
)

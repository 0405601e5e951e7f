import { taggingDelivery } from '../support/tagging-delivery.ts'
import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../src/platform/db/schema.ts'
import { isAtLeast, leastRoleOf, type Role } from '../../src/accounts/permissions.ts'
import { storeDeliveryError } from '../../src/events/delivery-error.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { databaseOf, newMember, raw } from '../service.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { newVisitor, url } from '../dashboard/webhook/visitor.ts'

const pages = [
  '/dashboard',
  '/dashboard/garments',
  '/dashboard/garment?uuid=complete',
  '/dashboard/garment?uuid=delivered',
  '/dashboard/garment?uuid=failed',
  '/dashboard/garment?uuid=failed-file',
  '/dashboard/garment?uuid=complete',
  '/dashboard/review',
  '/dashboard/deliveries',
  '/dashboard/delivery?uuid=delivered',
  '/dashboard/delivery?uuid=delivered&endpoint=gone',
  '/dashboard/imports',
  '/dashboard/usage',
]

/** The routes of the dashboard that a page's links and forms lead to. */
function routesOf(html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="(\/dashboard[^"?#]*)/g)].map(([, path]) => `GET ${path}`)
  const forms = [...html.matchAll(/<form ([^>]*)action="(\/dashboard[^"?#]*)/g)]
  const sent = forms.map(([, before = '', path]) => `${before.includes('method="post"') ? 'POST' : 'GET'} ${path}`)
  return [...new Set([...links, ...sent])]
}

async function forbidden(merchantId: string, role: Role): Promise<string[]> {
  const { id } = await newMember(merchantId, role)
  const session = await sessionOf(merchantId, Date.now(), id)
  const found: string[] = []
  for (const page of pages) {
    const response = await raw('GET', page, session)
    if (response.status !== 200) continue
    const routes = routesOf((await response.text()).replaceAll(/\/import\/[0-9a-f-]{36}/g, '/import/:id'))
    found.push(...routes.filter((route) => !isAtLeast(role, leastRoleOf(route))).map((route) => `${page}: ${route}`))
  }
  return found
}

it.each(['reviewer', 'editor'] as const)('pages offer nothing that would answer 403 to the role %s', async (role) => {
  const visitor = await newVisitor()
  const { tenantId, merchantId } = visitor
  // Sign-out needs no role.
  const open = (route: string) => !route.endsWith('/dashboard/sign-out')
  const offered = async () => (await forbidden(merchantId, role)).filter(open)
  expect(await offered()).toEqual([])

  await insertGarment(tenantId, 'complete', { attribute: '{"Studio":"North"}' })
  await insertGarment(tenantId, 'delivered')
  const failed = { status: 'failed', result: null } as const
  await insertGarment(tenantId, 'failed', failed)
  await insertGarment(tenantId, 'failed-file', {
    ...failed,
    pictures: [{ url: null, file: fileOf(crypto.randomUUID()) }],
  })
  await visitor.add({ url })
  const sent = {
    ...taggingDelivery,
    tenantId,
    garmentUuid: 'delivered',
    createdAt: Date.now(),
    updatedAt: Date.now(),
    attemptCount: 1,
  }
  await databaseOf(tenantId)
    .insert(deliveries)
    .values([
      { ...sent, id: `${tenantId}-1`, status: 'delivered' },
      { ...sent, id: `${tenantId}-2`, status: 'delivered', endpointId: 'gone' },
    ])
  const change = async (changes: Partial<typeof webhookEndpoints.$inferInsert>) => {
    await databaseOf(tenantId).update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.tenantId, tenantId))
    expect(await offered()).toEqual([])
  }
  await change({ failingSince: Date.now() - 7_200_000 })
  await change({ enabled: false })
  await change({ disabledReason: storeDeliveryError('always_failing', { since: '2026-11-16T12:00:00.000Z' }) })
})

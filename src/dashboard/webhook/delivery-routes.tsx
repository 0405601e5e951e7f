import { Hono } from 'hono'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { deliveryKinds } from '../../db/schema.ts'
import { settingsOf } from '../../settings.ts'
import type { DeliveryKind } from '../../webhook/delivery/conditions.ts'
import { findDeliveryHistory } from '../../webhook/delivery/find-delivery-history.ts'
import { listDeliveries } from '../../webhook/delivery/list-deliveries.ts'
import { redeliver } from '../../webhook/redelivery/redeliver.ts'
import { maxAttempts } from '../../webhook/delivery/schedule.ts'
import { deliveryPageNotFound } from '../errors/page-errors.ts'
import { submit, formBody, readForm } from '../form.ts'
import { deliveryPath } from '../paths.ts'
import { limitWrites } from '../limit-writes.ts'
import { oneOf } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { DeliveriesPage } from './deliveries-page.tsx'
import { DeliveryPage } from './delivery-page.tsx'

const section = '/dashboard/deliveries'
const needsTenant = withTenant(section, 'Deliveries', 'Create a tenant to see the results sent to your system.')
const pageSize = 25
const attemptsShown = 20
const statuses = ['pending', 'delivered', 'permanently_failed'] as const

export const deliveryPages = new Hono<DashboardEnv>()

deliveryPages.get(section, needsTenant, async (c) => {
  const query = c.req.query()
  const filter = { status: oneOf(statuses, query, 'status'), cursor: query['cursor'], limit: pageSize }
  const { deliveries, nextCursor } = await listDeliveries(c.get('db'), c.get('tenant').id, filter)
  const { clock } = c.get('viewer')
  const page = (
    <DeliveriesPage deliveries={deliveries} clock={clock} now={Date.now()} filter={filter} nextCursor={nextCursor} />
  )
  return await render(c, { title: 'Deliveries', section }, page)
})

interface ShownDelivery {
  readonly uuid: string
  readonly kind: DeliveryKind | undefined
  readonly endpoint: string | undefined
  readonly cursor?: string | undefined
}

const shownDelivery = (values: Readonly<Record<string, string>>): ShownDelivery => ({
  uuid: values['uuid'] ?? '',
  kind: oneOf(deliveryKinds, values, 'kind'),
  endpoint: values['endpoint'],
})

async function findHistory(env: Env, tenantId: string, { uuid, kind, endpoint, cursor }: ShownDelivery) {
  const page = { limit: attemptsShown, cursor }
  const history = await findDeliveryHistory(tenantDatabase(env, tenantId), tenantId, uuid, page, kind, endpoint)
  if (history !== null) return history
  throw deliveryPageNotFound()
}

deliveryPages.get('/dashboard/delivery', needsTenant, async (c) => {
  const query = c.req.query()
  const { uuid = '', cursor } = query
  const history = await findHistory(c.env, c.get('tenant').id, { ...shownDelivery(query), cursor })
  c.set('uuid', uuid)
  const attempts = maxAttempts(settingsOf(c.env).WEBHOOK_RETRY_DELAYS)
  const page = (
    <DeliveryPage
      {...history}
      isFirst={cursor === undefined}
      maxAttempts={attempts}
      clock={c.get('viewer').clock}
      now={Date.now()}
    />
  )
  return await render(c, { title: `Delivery of ${uuid}`, section }, page)
})

deliveryPages.post('/dashboard/delivery', formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const shown = shownDelivery(values)
  const { uuid, kind, endpoint } = shown
  const tenantId = c.get('tenant').id
  const db = c.get('db')
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    await redeliver(db, c.env.WEBHOOK_QUEUE, tenantId, uuid, Date.now(), kind, endpoint)
  })
  if (result.ok) return c.redirect(deliveryPath(uuid, kind, endpoint), 303)
  const history = await findHistory(c.env, tenantId, shown)
  const attempts = maxAttempts(settingsOf(c.env).WEBHOOK_RETRY_DELAYS)
  const { clock } = c.get('viewer')
  const problems = problemsOf(result.failure, [])
  const page = (
    <DeliveryPage {...history} isFirst problems={problems} maxAttempts={attempts} clock={clock} now={Date.now()} />
  )
  return await render(c, { title: `Delivery of ${uuid}`, section, status: result.failure.status }, page)
})

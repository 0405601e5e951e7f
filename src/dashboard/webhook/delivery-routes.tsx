import { Hono, type Context } from 'hono'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { deliveryKinds, type DeliveryKind } from '../../events/catalogue.ts'
import type { ApiError } from '../../platform/http/errors.ts'
import {
  DeliveriesPage,
  deliveryFilterValues,
  type DeliveryFilterValues,
  findDeliveries,
  readDeliveryFilter,
} from './deliveries-page.tsx'
import { settingsOf } from '../../settings.ts'
import { findDeliveryHistory } from '../../webhooks/deliveries/list-deliveries.ts'
import { redeliver, redeliverRange } from '../../webhooks/deliveries/redeliver.ts'
import { maxAttempts } from '../../webhooks/deliveries/next-state.ts'
import { deliveryPageNotFound } from '../errors.ts'
import { formBody, problemsOf, readForm, submit } from '../form.ts'
import { deliveryPath, deliveriesPath as section } from '../paths.ts'
import { limitWrites } from '../limit-writes.ts'
import { oneOf, withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { DeliveryPage } from './delivery-page.tsx'

const needsTenant = withTenant(section, 'Deliveries', 'Create your shop to see the results sent to your system.')
const pageSize = 25
const attemptsShown = 20

export const deliveryPages = new Hono<DashboardEnv>()

interface ShownList {
  readonly values: DeliveryFilterValues
  readonly cursor?: string | undefined
  readonly isAccepted?: boolean
  readonly failure?: ApiError
}

async function renderList(c: Context<DashboardEnv>, { values, cursor, isAccepted = false, failure }: ShownList) {
  const filter = { ...readDeliveryFilter(values, c.get('viewer').clock), cursor, limit: pageSize }
  const page = (
    <DeliveriesPage
      found={await findDeliveries(c.get('db'), c.get('tenant').id, filter)}
      values={values}
      isFirst={cursor === undefined}
      isAccepted={isAccepted}
      problems={failure && problemsOf(failure, [])}
      clock={c.get('viewer').clock}
      now={Date.now()}
    />
  )
  return await render(c, { title: 'Deliveries', section, status: failure?.status ?? 200 }, page)
}

deliveryPages.get(section, needsTenant, async (c) => {
  const { cursor, done, ...query } = c.req.query()
  return await renderList(c, { values: deliveryFilterValues(query), cursor, isAccepted: done === 'accepted' })
})

deliveryPages.post(`${section}/redeliver`, formBody, needsTenant, async (c) => {
  const values = deliveryFilterValues(await readForm(c))
  const { id: tenantId, createdAt } = c.get('tenant')
  const nowMs = Date.now()
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    // A pending delivery is attempted without a request.
    const { status, endpoint, fromMs = createdAt, untilMs = nowMs } = readDeliveryFilter(values, c.get('viewer').clock)
    const range = { fromMs, untilMs, endpoint, status: status === 'pending' ? undefined : status }
    await redeliverRange(c.get('db'), tenantId, range, nowMs)
  })
  if (!result.ok) return await renderList(c, { values, failure: result.failure })
  return c.redirect(withQuery(section, { ...values, done: 'accepted' }), 303)
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

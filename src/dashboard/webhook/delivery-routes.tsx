import { Hono, type Context } from 'hono'
import { deliveryKinds, type DeliveryKind } from '../../events/catalogue.ts'
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
import { formBody, type Problems, readForm, submitForm } from '../form.ts'
import { deliveryPath, deliveriesPath as section } from '../paths.ts'
import { limitWrites } from '../limit-writes.ts'
import { oneOf, withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { forTenant } from '../with-tenant.ts'
import { DeliveryPage } from './delivery-page.tsx'

const pageSize = 25
const attemptsShown = 20

export const deliveryPages = new Hono<DashboardEnv>()

interface ShownList {
  readonly values: DeliveryFilterValues
  readonly cursor?: string | undefined
  readonly problems?: Problems
}

async function renderList(c: Context<DashboardEnv>, { values, cursor, problems }: ShownList) {
  const filter = { ...readDeliveryFilter(values, c.get('viewer').clock), cursor, limit: pageSize }
  const page = (
    <DeliveriesPage
      found={await findDeliveries(c.get('db'), c.get('tenant').id, filter)}
      values={values}
      isFirst={cursor === undefined}
      problems={problems}
      now={Date.now()}
    />
  )
  return await render(c, { title: 'Deliveries', section }, page)
}

deliveryPages.get(section, forTenant, async (c) => {
  const { cursor, ...query } = c.req.query()
  return await renderList(c, { values: deliveryFilterValues(query), cursor })
})

deliveryPages.post(`${section}/redeliver`, formBody, forTenant, async (c) => {
  const { id: tenantId, createdAt } = c.get('tenant')
  const nowMs = Date.now()
  const result = await submitForm(c, [], async (sent) => {
    await limitWrites(c.env, tenantId)
    const values = deliveryFilterValues(sent)
    // A pending delivery is attempted without a request.
    const { status, endpoint, fromMs = createdAt, untilMs = nowMs } = readDeliveryFilter(values, c.get('viewer').clock)
    const range = { fromMs, untilMs, endpoint, status: status === 'pending' ? undefined : status }
    await redeliverRange(c.get('db'), tenantId, range, nowMs)
    return values
  })
  if (result.ok) return c.redirect(withQuery(section, { ...result.value, done: 'accepted' }), 303)
  const { values, problems } = result.form
  return await renderList(c, { values: deliveryFilterValues(values), problems })
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

async function renderDelivery(c: Context<DashboardEnv>, shown: ShownDelivery, problems?: Problems) {
  const { uuid, kind, endpoint, cursor } = shown
  c.set('uuid', uuid)
  const some = { limit: attemptsShown, cursor }
  const history = await findDeliveryHistory(c.get('db'), c.get('tenant').id, uuid, some, kind, endpoint)
  if (history === null) throw deliveryPageNotFound()
  const page = (
    <DeliveryPage
      {...history}
      isFirst={cursor === undefined}
      problems={problems}
      maxAttempts={maxAttempts(settingsOf(c.env).WEBHOOK_RETRY_DELAYS)}
      now={Date.now()}
    />
  )
  return await render(c, { title: `Delivery of ${uuid}`, section }, page)
}

deliveryPages.get('/dashboard/delivery', forTenant, async (c) => {
  const query = c.req.query()
  return await renderDelivery(c, { ...shownDelivery(query), cursor: query['cursor'] })
})

deliveryPages.post('/dashboard/delivery', formBody, forTenant, async (c) => {
  const shown = shownDelivery(await readForm(c))
  const { uuid, kind, endpoint } = shown
  const tenantId = c.get('tenant').id
  const result = await submitForm(c, [], async () => {
    await limitWrites(c.env, tenantId)
    await redeliver(c.get('db'), c.env.WEBHOOK_QUEUE, tenantId, uuid, Date.now(), kind, endpoint)
  })
  if (!result.ok) return await renderDelivery(c, shown, result.form.problems)
  return c.redirect(deliveryPath(uuid, kind, endpoint), 303)
})

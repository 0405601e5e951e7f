import { and, eq, isNull, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { type Database, runBatch } from '../platform/db/database.ts'
import { deliveries, firstEndpoint } from '../platform/db/schema.ts'
import { newestGarments, toListed } from '../garments/list/list-garments.ts'
import { dailyCountsQuery, fillDays } from '../accounts/daily-counts.ts'
import { type ConfigRow, listConfigRows } from '../webhooks/endpoints/endpoint.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { type Clock, duration } from './clock.ts'
import { GarmentTable } from './garments/garment-table.tsx'
import { Badge, Empty, Heading, isActive, Notice } from './parts/text.tsx'
import { Allowed } from './parts/actions.tsx'
import { findUsage, garmentSeries, Plot, RequestMeter, type RequestUsage } from './account/usage.tsx'
import type { DashboardEnv, Tenant } from './viewer.ts'
import { endpointDeliveriesPath, endpointPath, webhookPath } from './paths.ts'
import { NextStep, type Purpose, purposes, type Step, Steps, stepsOf, WelcomePage } from './first-steps.tsx'
import { tenantDatabase } from '../platform/db/databases.ts'
import { newSecret } from '../webhooks/endpoints/secret.ts'
import { oneOf } from './parts/list.tsx'
import { render } from './parts/layout.tsx'

const recentGarments = 5
const recentDays = 14

/** A tenant's overview, with its newest garments and the counts of the last fortnight, in one round trip. */
async function getOverview(db: Database, tenantId: string, now: number) {
  const { endpoints, garments, delivered, counts } = await runBatch(db, {
    endpoints: listConfigRows(db, tenantId),
    garments: newestGarments(db, tenantId, recentGarments),
    delivered: db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), isNull(deliveries.dueAt), eq(deliveries.status, 'delivered')))
      .limit(1),
    counts: dailyCountsQuery(db, tenantId, recentDays, now),
  })
  return {
    webhook: worstEndpoint(endpoints),
    garments: garments.map(toListed),
    hasDelivered: delivered.length > 0,
    days: fillDays(counts, recentDays, now),
  }
}

type Webhook = Pick<ConfigRow, 'endpoint' | 'enabled' | 'url' | 'disabledReason' | 'failingSince'>

const noEndpoint: Webhook = { endpoint: firstEndpoint, enabled: false, url: '', disabledReason: '', failingSince: null }

/** The endpoint that needs a person most: one that was switched off, or fails for longest; otherwise one that is on. */
function worstEndpoint(endpoints: readonly Webhook[]): Webhook {
  const failing = endpoints.filter(({ enabled, failingSince }) => enabled && failingSince !== null)
  const [longest] = failing.sort((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0))
  const switchedOff = endpoints.find(({ disabledReason }) => disabledReason !== '')
  return switchedOff ?? longest ?? endpoints.find(({ enabled }) => enabled) ?? endpoints[0] ?? noEndpoint
}

type Overview = Awaited<ReturnType<typeof getOverview>>

interface OverviewPageProps {
  readonly overview: Overview
  readonly usage: RequestUsage
  readonly tenant: Tenant
  readonly clock: Clock
  readonly origin: string
  readonly secret: string
  readonly now: number
  /** As given in the URL; undefined if absent. */
  readonly purpose: Purpose | undefined
}

function stepsDone({ garments, webhook, hasDelivered }: Overview, tenant: Tenant): Record<Step, boolean> {
  return {
    tenant: true,
    key: tenant.hasKey,
    garment: garments.length > 0,
    webhook: webhook.enabled || hasDelivered,
    delivered: hasDelivered,
  }
}

const OverviewPage = (props: OverviewPageProps) => {
  const { overview, tenant, now } = props
  const done = stepsDone(overview, tenant)
  // A merchant who started with the API continues with it.
  const purpose = props.purpose ?? (done.key || done.webhook ? 'api' : 'here')
  const next = stepsOf(purpose).find(([step]) => !done[step])?.[0]
  return (
    <>
      <Heading title={tenant.name} lead={tenant.domain}>
        <Allowed to="GET /dashboard/upload">
          <a class="button" href="/dashboard/upload">
            Upload a garment
          </a>
        </Allowed>
      </Heading>
      <WebhookHealth overview={overview} now={now} />
      {next !== undefined && (
        <Allowed to="POST /dashboard/keys" otherwise={overview.garments.length === 0 && <Figures {...props} />}>
          <Steps
            purpose={purpose}
            done={done}
            open={
              <NextStep
                step={next}
                purpose={purpose}
                origin={props.origin}
                domain={tenant.domain}
                secret={props.secret}
              />
            }
          />
        </Allowed>
      )}
      {(next === undefined || overview.garments.length > 0) && <Figures {...props} />}
    </>
  )
}

/** Hidden until the first garment exists. */
const Figures = ({ overview, usage, tenant, clock, now }: OverviewPageProps) => (
  <>
    <div class="halves">
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Requests in the last minute</h2>
        <RequestMeter usage={usage} now={now} />
      </section>
      <section class="card" aria-labelledby="webhook">
        <h2 id="webhook">Webhook</h2>
        <WebhookState overview={overview} />
      </section>
    </div>
    <section class="card" aria-labelledby="fortnight">
      <h2 id="fortnight">Garments in the last {overview.days.length} days</h2>
      {overview.days.some(({ complete, failed }) => complete + failed > 0) ? (
        <Plot days={overview.days} series={garmentSeries} label="Finished garments by day" />
      ) : (
        <Empty title="No garments yet">
          <p>Each day appears here as a bar once garments finish.</p>
        </Empty>
      )}
    </section>
    <section
      class="card flush"
      id="live"
      aria-labelledby="newest"
      {...(overview.garments.some(({ status }) => isActive(status)) ? { 'data-live': '' } : {})}
    >
      <h2 id="newest">Latest garments</h2>
      {overview.garments.length === 0 ? (
        <Empty title="No garments yet">
          <p>Garments appear here as soon as they are uploaded.</p>
        </Empty>
      ) : (
        <GarmentTable garments={overview.garments} tenantId={tenant.id} clock={clock} />
      )}
    </section>
  </>
)

const WebhookHealth = ({ overview: { webhook }, now }: { overview: Overview; now: number }) => {
  if (webhook.disabledReason !== '')
    return (
      <Notice tone="bad" title={`We switched the webhook off: ${deliveryError(webhook.disabledReason)}`}>
        <p>
          <Allowed to="GET /dashboard/webhook/endpoint" otherwise="An owner can switch it on again.">
            <a href={endpointPath(webhook.endpoint)}>Open the webhook settings</a>
          </Allowed>
        </p>
      </Notice>
    )
  if (!webhook.enabled || webhook.failingSince === null) return null
  return (
    <Notice tone="bad" title={`Deliveries to your system have failed for ${duration(now - webhook.failingSince)}.`}>
      <p>
        <Allowed to="GET /dashboard/deliveries" otherwise="An editor or owner can see its responses.">
          <a href={endpointDeliveriesPath(webhook.endpoint)}>Show its responses</a>
        </Allowed>
      </p>
    </Notice>
  )
}

const WebhookState = ({ overview: { webhook } }: { overview: Overview }) =>
  webhook.enabled ? (
    <>
      <p>{webhook.failingSince === null ? <Badge tone="good">On</Badge> : <Badge tone="bad">Failing</Badge>}</p>
      <p class="clipped">{webhook.url}</p>
    </>
  ) : (
    <>
      <p>
        <Badge tone="calm">Off</Badge>
      </p>
      <Allowed to="GET /dashboard/webhook">
        <p>
          <a href={webhookPath}>Set up the webhook</a> to receive results in your system.
        </p>
      </Allowed>
    </>
  )

const section = '/dashboard'

export const overviewPage = new Hono<DashboardEnv>()

overviewPage.get(section, async (c) => {
  const { tenant, name, clock } = c.get('viewer')
  const title = 'Overview'
  const purpose = oneOf(purposes, c.req.query(), 'purpose')
  if (tenant === null) {
    const wasDeleted = c.req.query('done') === 'tenant-deleted'
    return await render(c, { title, section }, <WelcomePage {...{ name, wasDeleted, purpose }} />)
  }
  const now = Date.now()
  const [overview, usage] = await Promise.all([
    getOverview(tenantDatabase(c.env, tenant.id), tenant.id, now),
    findUsage(c.env, tenant),
  ])
  const { origin } = new URL(c.req.url)
  const page = (
    <OverviewPage
      overview={overview}
      usage={usage}
      tenant={tenant}
      clock={clock}
      origin={origin}
      secret={newSecret()}
      now={now}
      purpose={purpose}
    />
  )
  return await render(c, { title, section }, page)
})

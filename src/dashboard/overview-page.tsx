import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { runBatch } from '../platform/db/database.ts'
import { deliveries, configEndpointId } from '../platform/db/schema.ts'
import { newestGarments, toListed } from '../garments/list/list-garments.ts'
import { addedQuery, countsQuery, maxCounted } from '../garments/list/count-work.ts'
import { formatCount } from '../platform/format-count.ts'
import { dayMs } from '../time.ts'
import type { EndpointRow } from '../events/delivery.ts'
import { listEndpointRows } from '../webhooks/endpoints/endpoint.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { duration } from './clock.ts'
import { GarmentCards } from './garments/garment-table.tsx'
import { ButtonLink, PlainLink, Badge, Card, Empty, Heading, isActive, Notice } from './parts/elements.tsx'
import { Allowed } from './parts/actions.tsx'
import { addedSeries, findUsage, Plot, RequestMeter } from './account/usage-page.tsx'
import { type DashboardEnv, type Tenant, forTenant } from './viewer.ts'
import {
  buildPath,
  deliveriesPath,
  endpointPath,
  exportPath,
  garmentsPath,
  importsPath,
  reviewSection,
  unpricedPath,
  webhookPath,
  workPath,
} from './paths.ts'
import {
  FirstDelivery,
  FirstGarment,
  FirstPicture,
  FirstWebhook,
  purposes,
  Steps,
  WelcomePage,
} from './first-steps.tsx'
import { KeyForm } from './account/keys-page.tsx'
import { tenantDatabase } from '../platform/db/databases.ts'
import { newSecret } from '../webhooks/endpoints/secret.ts'
import { oneOf, withQuery } from './parts/list-parts.tsx'
import { render } from './parts/layout.tsx'

const shownGarments = 8
const weekDays = 7

/** Reads what both overviews show, in one round trip. */
async function getOverview(c: Context<DashboardEnv>, tenantId: string) {
  const db = tenantDatabase(c.env, tenantId)
  const { endpoints, garments, delivered } = await runBatch(db, {
    endpoints: listEndpointRows(db, tenantId),
    garments: newestGarments(db, tenantId, shownGarments),
    delivered: db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), isNull(deliveries.dueAt), eq(deliveries.status, 'delivered')))
      .limit(1),
  })
  return {
    origin: new URL(c.req.url).origin,
    webhook: worstEndpoint(endpoints),
    garments: garments.map(toListed),
    hasDelivered: delivered.length > 0,
  }
}

async function countWork(c: Context<DashboardEnv>, tenantId: string, now: number) {
  const db = tenantDatabase(c.env, tenantId)
  const { clock } = c.get('viewer')
  const days = Array.from({ length: weekDays }, (_, i) => clock.day(now - (weekDays - 1 - i) * dayMs))
  const {
    counts: [counted = { doubtful: 0, unpriced: 0, failed: 0, ready: 0, listed: 0, sold: 0 }],
    added,
  } = await runBatch(db, {
    counts: countsQuery(db, tenantId),
    added: addedQuery(db, tenantId, days.map(clock.startOf)),
  })
  return { ...counted, week: days.map((day, i) => ({ day, added: added.find((each) => each.day === i)?.count ?? 0 })) }
}

type Webhook = Pick<EndpointRow, 'id' | 'enabled' | 'url' | 'disabledReason' | 'failingSince'>

const noEndpoint: Webhook = {
  id: configEndpointId,
  enabled: false,
  url: null,
  disabledReason: null,
  failingSince: null,
}

/** Finds the endpoint that most needs attention: a disabled one, or else the one that has failed for longest. */
function worstEndpoint(endpoints: readonly Webhook[]): Webhook {
  const failing = endpoints.filter(({ enabled, failingSince }) => enabled && failingSince !== null)
  const [longest] = failing.sort((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0))
  const switchedOff = endpoints.find(({ disabledReason }) => disabledReason !== null)
  return switchedOff ?? longest ?? endpoints.find(({ enabled }) => enabled) ?? endpoints[0] ?? noEndpoint
}

type Overview = Awaited<ReturnType<typeof getOverview>>

const isEmpty = ({ garments }: Overview) => garments.length === 0

const NoGarments = () => (
  <Empty title="No garments yet">
    <p>Garments appear here as soon as they are uploaded.</p>
  </Empty>
)

interface TileProps {
  readonly count: number
  readonly name: string
  readonly does: string
  readonly href: string
}

/** Shows a count with a link to the counted items. */
const Tile = ({ count, name, does, href }: TileProps) => (
  <a class={count === 0 ? 'tile none' : 'tile'} href={href}>
    <strong>{count > maxCounted ? `${formatCount(maxCounted)}+` : formatCount(count)}</strong> {name}
    <span class="hint">{count === 0 ? 'None' : does}</span>
  </a>
)

type Work = Awaited<ReturnType<typeof countWork>>

/** Shows the tasks, and what was done. Loaded separately, because counting reads many rows. */
const WorkDone = ({ work }: { work: Work }) => (
  <div class="work">
    <section aria-labelledby="to-do">
      <h2 id="to-do">To do</h2>
      <div class="tiles">
        <Tile count={work.doubtful} name="in doubt" does="Review them" href={reviewSection} />
        <Tile count={work.unpriced} name="without a price" does="Give them one" href={unpricedPath} />
        <Tile count={work.failed} name="failed" does="See why" href={`${garmentsPath}?status=failed`} />
      </div>
    </section>
    <section aria-labelledby="stages">
      <h2 id="stages">For sale</h2>
      <div class="tiles">
        <Tile count={work.ready} name="ready" does="Export them" href={`${exportPath}?stage=ready`} />
        <Tile count={work.listed} name="listed" does="Show them" href={`${garmentsPath}?stage=listed`} />
        <Tile count={work.sold} name="sold" does="Show them" href={`${garmentsPath}?stage=sold`} />
      </div>
    </section>
    <Card id="week" title="This week">
      <Plot days={work.week} series={addedSeries} label="Garments added by day" />
    </Card>
  </div>
)

interface SellersFiguresProps {
  readonly overview: Overview
  readonly tenant: Tenant
  readonly work: Work | undefined
}

/** Shows a seller's tasks, what is ready, and what was done this week. */
const SellersFigures = ({ overview, tenant, work }: SellersFiguresProps) => (
  <>
    {work === undefined ? (
      <p>
        <a href="/dashboard?count=yes" data-part={workPath}>
          Count what there is to do
        </a>
      </p>
    ) : (
      <WorkDone work={work} />
    )}
    <section
      id="live"
      aria-labelledby="newest"
      data-live={overview.garments.some(({ status }) => isActive(status)) ? '' : undefined}
    >
      <h2 id="newest">Latest garments</h2>
      <GarmentCards garments={overview.garments} tenantId={tenant.id} currency={tenant.currency} />
    </section>
  </>
)

const WebhookHealth = ({ overview: { webhook }, now }: { overview: Overview; now: number }) => {
  if (webhook.disabledReason !== null)
    return (
      <Notice tone="bad" title={`We switched the webhook off: ${deliveryError(webhook.disabledReason)}`}>
        <p>
          <Allowed to="GET /dashboard/webhook/endpoint" otherwise="An owner can switch it on again.">
            <a href={endpointPath(webhook.id)}>Open the webhook settings</a>
          </Allowed>
        </p>
      </Notice>
    )
  if (!webhook.enabled || webhook.failingSince === null) return null
  return (
    <Notice tone="bad" title={`Deliveries to your system have failed for ${duration(now - webhook.failingSince)}.`}>
      <p>
        <Allowed to="GET /dashboard/deliveries" otherwise="An editor or owner can see its responses.">
          <a href={withQuery(deliveriesPath, { endpoint: webhook.id })}>Show its responses</a>
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

export const overviewPage = new Hono<DashboardEnv>()

overviewPage.get('/dashboard', async (c) => {
  const { tenant, name } = c.get('viewer')
  const page = { title: 'Overview', section: '/dashboard' } as const
  if (tenant === null) {
    const purpose = oneOf(purposes, c.req.query(), 'purpose')
    return await render(c, page, <WelcomePage {...{ name, purpose }} />)
  }
  const now = Date.now()
  const overview = await getOverview(c, tenant.id)
  const work = c.req.query('count') === 'yes' ? await countWork(c, tenant.id, now) : undefined
  return await render(
    c,
    page,
    <>
      <Heading title={tenant.name}>
        <Allowed to="GET /dashboard/imports">
          <ButtonLink to={importsPath}>Add garments</ButtonLink>
        </Allowed>
      </Heading>
      <WebhookHealth overview={overview} now={now} />
      {isEmpty(overview) ? (
        <Allowed to="POST /dashboard/upload" otherwise={<NoGarments />}>
          <Steps
            purpose="here"
            done={{ tenant: true }}
            forms={{ garment: <FirstPicture origin={overview.origin} /> }}
          />
        </Allowed>
      ) : (
        <SellersFigures {...{ overview, tenant, work }} />
      )}
    </>,
  )
})

overviewPage.get(workPath, forTenant, async (c) =>
  c.html(<WorkDone work={await countWork(c, c.get('tenant').id, Date.now())} />),
)

/** Overview for people who connect a system: open steps, requests and webhooks. */
overviewPage.get(buildPath, async (c) => {
  const { tenant } = c.get('viewer')
  if (tenant === null) return c.redirect('/dashboard?purpose=api', 303)
  const now = Date.now()
  const [overview, usage] = await Promise.all([getOverview(c, tenant.id), findUsage(c.env, tenant)])
  const { webhook, hasDelivered, origin } = overview
  const done = {
    tenant: true,
    key: tenant.hasKey,
    garment: !isEmpty(overview),
    webhook: webhook.enabled || hasDelivered,
    delivered: hasDelivered,
  }
  return await render(
    c,
    { title: 'Build', section: buildPath },
    <>
      <Heading title={tenant.name} lead={<code>{tenant.domain}</code>}>
        <PlainLink to="/docs/">Documentation</PlainLink>
      </Heading>
      <WebhookHealth overview={overview} now={now} />
      <Allowed to="POST /dashboard/keys">
        <Steps
          purpose="api"
          done={done}
          forms={{
            key: <KeyForm />,
            garment: <FirstGarment origin={origin} domain={tenant.domain} />,
            webhook: <FirstWebhook secret={newSecret()} />,
            delivered: <FirstDelivery origin={origin} domain={tenant.domain} />,
          }}
        />
      </Allowed>
      <div class="halves">
        <Card id="requests" title="Requests in the last minute">
          <RequestMeter usage={usage} now={now} />
        </Card>
        <Card id="webhook" title="Webhook">
          <WebhookState overview={overview} />
        </Card>
      </div>
    </>,
  )
})

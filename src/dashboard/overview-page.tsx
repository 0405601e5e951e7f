import { type Context, Hono } from 'hono'
import { type Database, runBatch } from '../platform/db/database.ts'
import { configEndpointId } from '../platform/db/schema.ts'
import { firstGarmentsQuery, type ListedGarment, toFirst } from '../garments/list/list-garments.ts'
import { maxSales, salesQuery, soldDurationsQuery } from '../garments/list/count-sales.ts'
import { countsQuery, maxTasks } from '../garments/list/count-work.ts'
import { formatCount } from '../platform/format-count.ts'
import { dayMs } from '../time.ts'
import type { EndpointRow } from '../events/delivery.ts'
import { anyDelivered } from '../webhooks/deliveries/list-deliveries.ts'
import { listEndpointRows } from '../webhooks/endpoints/endpoint.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { duration } from './clock.ts'
import { Sales } from './sales.tsx'
import { medianDays, salePeriods, startsOf, sumSales } from './sum-sales.ts'
import { nameOf } from './garments/garment-name.ts'
import { GarmentCards, Thumbnail } from './garments/garment-table.tsx'
import { mayUse, type Role } from '../accounts/permissions.ts'
import { ButtonLink, PlainLink, Badge, Card, Empty, Heading, isActive, Notice } from './parts/elements.tsx'
import { Allowed } from './parts/actions.tsx'
import { findUsage, RequestMeter } from './account/usage-page.tsx'
import type { DashboardEnv, Tenant } from './viewer.ts'
import {
  buildPath,
  deliveriesPath,
  endpointPath,
  exportPath,
  garmentPath,
  garmentsPath,
  importsPath,
  reviewSection,
  unpricedPath,
  webhookPath,
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
import { newSecret } from '../webhooks/endpoints/secret.ts'
import { oneOf, withQuery } from './parts/list-parts.tsx'
import { render } from './parts/layout.tsx'

const shownGarments = 10
const shownPeriods = 12

/** The first garments of each list on the seller's overview, with the number of entries to search for them. */
const lists = {
  garments: { limit: shownGarments, step: shownGarments },
  doubtful: { doubtful: true, limit: 3, step: 3 },
  unpriced: { unpriced: true, limit: 3, step: 100 },
  oldest: { stage: 'listed', sort: 'oldest', limit: 4, step: 4 },
} as const satisfies Readonly<Record<string, Parameters<typeof firstGarmentsQuery>[2]>>

const overviewQueries = (db: Database, tenantId: string) => ({
  endpoints: listEndpointRows(db, tenantId),
  garments: firstGarmentsQuery(db, tenantId, lists.garments),
  delivered: anyDelivered(db, tenantId),
})

type Found = {
  readonly [Name in keyof ReturnType<typeof overviewQueries>]: Awaited<ReturnType<typeof overviewQueries>[Name]>
}

const toOverview = (c: Context<DashboardEnv>, { endpoints, garments, delivered }: Found) => ({
  origin: new URL(c.req.url).origin,
  webhook: worstEndpoint(endpoints),
  garments: toFirst(garments, shownGarments),
  hasDelivered: delivered.length > 0,
})

async function getSellersOverview(c: Context<DashboardEnv>, { id: tenantId, currency }: Tenant, nowMs: number) {
  const db = c.get('db')
  const { clock } = c.get('viewer')
  const period = oneOf(salePeriods, c.req.query(), 'by') ?? 'week'
  const starts = startsOf(clock.day(nowMs), period, shownPeriods)
  const {
    counts: [counted = { doubtful: 0, unpriced: 0, failed: 0, ready: 0, listed: 0, sold: 0 }],
    doubtful,
    unpriced,
    oldest,
    sold,
    durations,
    ...found
  } = await runBatch(db, {
    ...overviewQueries(db, tenantId),
    counts: countsQuery(db, tenantId),
    doubtful: firstGarmentsQuery(db, tenantId, lists.doubtful),
    unpriced: firstGarmentsQuery(db, tenantId, lists.unpriced),
    oldest: firstGarmentsQuery(db, tenantId, lists.oldest),
    sold: salesQuery(db, tenantId, clock.startOf(starts[0] ?? '')),
    durations: soldDurationsQuery(db, tenantId),
  })
  const sales = sold.flatMap(({ at, ...sale }) => (at === null ? [] : [{ at, ...sale }]))
  return {
    ...toOverview(c, found),
    work: {
      ...counted,
      doubtfulGarments: toFirst(doubtful, lists.doubtful.limit),
      unpricedGarments: toFirst(unpriced, lists.unpriced.limit),
    },
    oldest: toFirst(oldest, lists.oldest.limit),
    sales: {
      sales: sumSales(sales, { starts, period, currency, dayAt: clock.day }),
      period,
      currency,
      daysToSell: medianDays(durations),
      isCut: sold.length === maxSales,
    },
  }
}

async function getOverview(c: Context<DashboardEnv>, tenantId: string) {
  const db = c.get('db')
  return toOverview(c, await runBatch(db, overviewQueries(db, tenantId)))
}

type Webhook = Pick<EndpointRow, 'id' | 'enabled' | 'url' | 'disabledReason' | 'failingSince'>

const noEndpoint: Webhook = {
  id: configEndpointId,
  enabled: false,
  url: null,
  disabledReason: null,
  failingSince: null,
}

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
  readonly action: string
  readonly href: string
  readonly garments?: readonly ListedGarment[]
}

const Tile = ({ count, name, action, href, garments = [] }: TileProps) => (
  <a class={count === 0 ? 'tile none' : 'tile'} href={href}>
    <strong>{formatCount(count)}</strong> {name}
    <span class="hint">{count === 0 ? 'None' : action}</span>
    {garments.length > 0 && (
      <span class="thumbnails">
        {garments.map((garment) => (
          <Thumbnail garment={garment} tenantId={garment.tenantId} />
        ))}
      </span>
    )}
  </a>
)

const Task = ({ count, name, ...tile }: TileProps) => (
  <Tile count={Math.min(count, maxTasks)} name={count > maxTasks ? `and more ${name}` : name} {...tile} />
)

type SellersOverview = Awaited<ReturnType<typeof getSellersOverview>>

interface SellersFiguresProps {
  readonly overview: SellersOverview
  readonly tenant: Tenant
  readonly role: Role
  readonly now: number
}

const Tasks = ({ overview: { work }, role }: Pick<SellersFiguresProps, 'overview' | 'role'>) => {
  const show = (action: string, route: string) => (mayUse(role, route) ? action : 'Show them')
  const mayExport = mayUse(role, `GET ${exportPath}`)
  return (
    <div class="work">
      <section aria-labelledby="to-do">
        <h2 id="to-do">To do</h2>
        <div class="tiles">
          <Task
            count={work.doubtful}
            name="in doubt"
            action="Review them"
            href={reviewSection}
            garments={work.doubtfulGarments}
          />
          <Tile
            count={work.unpriced}
            name="without a price"
            action={show('Add prices', 'POST /dashboard/edit')}
            href={`${unpricedPath}&view=rows`}
            garments={work.unpricedGarments}
          />
          <Task count={work.failed} name="failed" action="See why" href={`${garmentsPath}?status=failed`} />
        </div>
      </section>
      <section aria-labelledby="stages">
        <h2 id="stages">For sale</h2>
        <div class="tiles">
          <Tile
            count={work.ready}
            name="ready"
            action={mayExport ? 'Export them' : 'Show them'}
            href={mayExport ? `${exportPath}?stage=ready` : `${garmentsPath}?stage=ready`}
          />
          <Tile count={work.listed} name="listed" action="Show them" href={`${garmentsPath}?stage=listed`} />
          <Tile count={work.sold} name="sold" action="Show them" href={`${garmentsPath}?stage=sold`} />
        </div>
      </section>
    </div>
  )
}

const OldestListings = ({ garments, now }: { garments: readonly ListedGarment[]; now: number }) =>
  garments.length === 0 ? null : (
    <Card id="oldest" title="Longest in stock">
      <ul class="longest">
        {garments.map((garment) => (
          <li>
            <a class="named" href={garmentPath(garment.uuid, { stage: 'listed', sort: 'oldest' })}>
              <Thumbnail garment={garment} tenantId={garment.tenantId} />
              <span class="names">
                <span class="clipped title">{nameOf(garment, garment.tag)}</span>
                <span class="hint">{daysInStock(now - garment.createdAt)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href={withQuery(garmentsPath, { stage: 'listed', sort: 'oldest' })}>Show all, oldest first</a>
      </p>
    </Card>
  )

function daysInStock(ms: number): string {
  const days = Math.floor(ms / dayMs)
  return days < 1 ? 'since today' : days === 1 ? '1 day' : `${formatCount(days)} days`
}

const SellersFigures = ({ overview, tenant, role, now }: SellersFiguresProps) => (
  <>
    <Tasks overview={overview} role={role} />
    <div class="shop-figures">
      <Sales {...overview.sales} />
      <OldestListings garments={overview.oldest} now={now} />
    </div>
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
  const { tenant, name, role } = c.get('viewer')
  const page = { title: 'Overview', section: '/dashboard' } as const
  if (tenant === null) {
    const purpose = oneOf(purposes, c.req.query(), 'purpose')
    const needsShop = c.req.query('needs') === 'shop'
    const acceptLanguage = c.req.header('accept-language')
    return await render(c, page, <WelcomePage {...{ name, purpose, needsShop, acceptLanguage }} />)
  }
  const now = Date.now()
  const overview = await getSellersOverview(c, tenant, now)
  return await render(
    c,
    page,
    <>
      <Heading title={tenant.name}>
        <Allowed to="GET /dashboard/imports">
          <span class="phone-has-it">
            <ButtonLink to={importsPath}>Add garments</ButtonLink>
          </span>
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
        <SellersFigures {...{ overview, tenant, role, now }} />
      )}
    </>,
  )
})

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

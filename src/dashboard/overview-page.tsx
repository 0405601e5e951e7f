import { type Context, Hono } from 'hono'
import { type Database, runBatch } from '../platform/db/database.ts'
import { configEndpointId } from '../platform/db/schema.ts'
import { type ListedGarment, newestGarments, toListed } from '../garments/list/list-garments.ts'
import { addedQuery, countsQuery, maxCounted } from '../garments/list/count-work.ts'
import { countGarments, formatCount } from '../platform/format-count.ts'
import { dayMs } from '../time.ts'
import type { EndpointRow } from '../events/delivery.ts'
import { anyDelivered } from '../webhooks/deliveries/list-deliveries.ts'
import { listEndpointRows } from '../webhooks/endpoints/endpoint.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { duration } from './clock.ts'
import { GarmentCards, Thumbnail } from './garments/garment-table.tsx'
import { mayUse, type Role } from '../accounts/permissions.ts'
import { parseAttribute } from '../garments/garment-fields.ts'
import { ownNames, readOwn } from '../garments/own-values.ts'
import { ButtonLink, PlainLink, Badge, Card, Empty, Heading, isActive, Notice } from './parts/elements.tsx'
import { Allowed } from './parts/actions.tsx'
import { addedSeries, findUsage, Plot, RequestMeter } from './account/usage-page.tsx'
import type { DashboardEnv, Tenant } from './viewer.ts'
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

/** Latest garments that are read, for the pictures of tasks, and those that are shown. */
const readGarments = 24
const shownGarments = 10
const weekDays = 7

const overviewQueries = (db: Database, tenantId: string) => ({
  endpoints: listEndpointRows(db, tenantId),
  garments: newestGarments(db, tenantId, readGarments),
  delivered: anyDelivered(db, tenantId),
})

type Found = {
  readonly [Name in keyof ReturnType<typeof overviewQueries>]: Awaited<ReturnType<typeof overviewQueries>[Name]>
}

const toOverview = (c: Context<DashboardEnv>, { endpoints, garments, delivered }: Found) => ({
  origin: new URL(c.req.url).origin,
  webhook: worstEndpoint(endpoints),
  garments: garments.map(toListed),
  hasDelivered: delivered.length > 0,
})

/** Reads the seller's overview, with counts of tasks and of the garments added by day. */
async function getSellersOverview(c: Context<DashboardEnv>, tenantId: string, now: number) {
  const db = c.get('db')
  const { clock } = c.get('viewer')
  const days = Array.from({ length: 2 * weekDays }, (_, i) => clock.day(now - (2 * weekDays - 1 - i) * dayMs))
  const {
    counts: [counted = { doubtful: 0, unpriced: 0, failed: 0, ready: 0, listed: 0, sold: 0 }],
    added,
    ...found
  } = await runBatch(db, {
    ...overviewQueries(db, tenantId),
    counts: countsQuery(db, tenantId),
    added: addedQuery(db, tenantId, days.map(clock.startOf)),
  })
  const addedOn = (index: number) => added.find(({ day }) => day === index)?.count ?? 0
  return { ...toOverview(c, found), work: { ...counted, days: days.map((day, i) => ({ day, added: addedOn(i) })) } }
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
  /** The link text, such as `Review them`. */
  readonly action: string
  readonly href: string
  readonly garments?: readonly ListedGarment[]
}

const Tile = ({ count, name, action, href, garments = [] }: TileProps) => (
  <a class={count === 0 ? 'tile none' : 'tile'} href={href}>
    <strong>{count > maxCounted ? `${formatCount(maxCounted)}+` : formatCount(count)}</strong> {name}
    <span class="hint">{count === 0 ? 'None' : action}</span>
    {garments.length > 0 && (
      <span class="thumbnails">
        {garments.slice(0, 3).map((garment) => (
          <Thumbnail garment={garment} tenantId={garment.tenantId} />
        ))}
      </span>
    )}
  </a>
)

type Work = Awaited<ReturnType<typeof getSellersOverview>>['work']

interface WorkProps {
  readonly work: Work
  /** The newest garments, whose pictures illustrate the tasks. */
  readonly garments: readonly ListedGarment[]
  readonly role: Role
}

const WorkDone = ({ work, garments, role }: WorkProps) => {
  const show = (action: string, route: string) => (mayUse(role, route) ? action : 'Show them')
  const complete = garments.filter(({ status }) => status === 'complete')
  return (
    <div class="work">
      <section aria-labelledby="to-do">
        <h2 id="to-do">To do</h2>
        <div class="tiles">
          <Tile
            count={work.doubtful}
            name="in doubt"
            action="Review them"
            href={reviewSection}
            garments={complete.filter(({ doubt }) => doubt > 0)}
          />
          <Tile
            count={work.unpriced}
            name="without a price"
            action={show('Add prices', 'POST /dashboard/edit')}
            href={unpricedPath}
            garments={complete.filter(({ attribute }) => readOwn(parseAttribute(attribute), ownNames.price) === '')}
          />
          <Tile count={work.failed} name="failed" action="See why" href={`${garmentsPath}?status=failed`} />
        </div>
      </section>
      <section aria-labelledby="stages">
        <h2 id="stages">For sale</h2>
        <div class="tiles">
          <Tile
            count={work.ready}
            name="ready"
            action={show('Export them', `GET ${exportPath}`)}
            href={mayUse(role, `GET ${exportPath}`) ? `${exportPath}?stage=ready` : `${garmentsPath}?stage=ready`}
          />
          <Tile count={work.listed} name="listed" action="Show them" href={`${garmentsPath}?stage=listed`} />
          <Tile count={work.sold} name="sold" action="Show them" href={`${garmentsPath}?stage=sold`} />
        </div>
      </section>
      <Added days={work.days} />
    </div>
  )
}

/** Says how many garments were added this week, compared with the week before. */
const Added = ({ days }: Pick<Work, 'days'>) => {
  const sum = (some: Work['days']) => some.reduce((total, { added }) => total + added, 0)
  const week = days.slice(-weekDays)
  const [now, before] = [sum(week), sum(days.slice(0, -weekDays))]
  const difference = now - before
  return (
    <Card id="week" title={`${countGarments(now)} added in the last 7 days`}>
      <p class="hint">
        {difference === 0
          ? 'As many as in the 7 days before.'
          : `${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than in the 7 days before.`}
      </p>
      {week.filter(({ added }) => added > 0).length > 1 && (
        <Plot days={week} series={addedSeries} label="Garments added by day" />
      )}
    </Card>
  )
}

interface SellersFiguresProps {
  readonly overview: Overview
  readonly tenant: Tenant
  readonly work: Work
  readonly role: Role
}

const SellersFigures = ({ overview, tenant, work, role }: SellersFiguresProps) => (
  <>
    <WorkDone work={work} garments={overview.garments} role={role} />
    <section
      id="live"
      aria-labelledby="newest"
      data-live={overview.garments.some(({ status }) => isActive(status)) ? '' : undefined}
    >
      <h2 id="newest">Latest garments</h2>
      <GarmentCards
        garments={overview.garments.slice(0, shownGarments)}
        tenantId={tenant.id}
        currency={tenant.currency}
      />
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
  const { work, ...overview } = await getSellersOverview(c, tenant.id, now)
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
        <SellersFigures {...{ overview, tenant, work, role }} />
      )}
    </>,
  )
})

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

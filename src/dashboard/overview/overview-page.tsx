import type { Overview } from '../../overview/get-overview.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { duration, type Clock } from '../clock.ts'
import { GarmentTable } from '../garments/list/garment-table.tsx'
import { isActive } from '../garments/status-badge.tsx'
import { Allowed } from '../parts/allowed.tsx'
import { Badge, Empty, Heading, Notice } from '../parts/text.tsx'
import { Plot } from '../usage/plot.tsx'
import { RequestMeter, type RequestUsage } from '../usage/request-meter.tsx'
import { garmentSeries } from '../usage/usage-page.tsx'
import type { Tenant } from '../viewer.ts'
import { endpointDeliveriesPath, endpointPath, webhookPath } from '../paths.ts'
import { NextStep } from './next-step.tsx'
import { Steps, stepsOf, type Purpose, type Step } from './steps.tsx'

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

export const OverviewPage = (props: OverviewPageProps) => {
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
          <Allowed to="GET /dashboard/webhook/endpoint" otherwise="Ask an owner to switch it on again.">
            <a href={endpointPath(webhook.endpoint)}>Open the webhook settings</a>
          </Allowed>
        </p>
      </Notice>
    )
  if (!webhook.enabled || webhook.failingSince === null) return null
  return (
    <Notice tone="bad" title={`Deliveries to your system have failed for ${duration(now - webhook.failingSince)}.`}>
      <Allowed to="GET /dashboard/deliveries">
        <p>
          <a href={endpointDeliveriesPath(webhook.endpoint)}>Show its responses</a>
        </p>
      </Allowed>
    </Notice>
  )
}

const WebhookState = ({ overview: { webhook } }: { overview: Overview }) =>
  webhook.enabled ? (
    <>
      <p>
        <Badge tone="good">On</Badge>
      </p>
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

import type { Overview } from '../../overview/get-overview.ts'
import { duration, type Clock } from '../clock.ts'
import { GarmentTable } from '../garments/garment-table.tsx'
import { isActive } from '../garments/status-badge.tsx'
import { Badge, Empty, Heading, Notice } from '../parts/text.tsx'
import { Plot } from '../usage/plot.tsx'
import { RequestMeter, type RequestUsage } from '../usage/request-meter.tsx'
import { garmentSeries } from '../usage/usage-page.tsx'
import type { Tenant } from '../viewer.ts'
import { NextStep } from './next-step.tsx'
import { Steps, type Step } from './steps.tsx'

interface OverviewPageProps {
  readonly overview: Overview
  readonly usage: RequestUsage
  readonly tenant: Tenant
  readonly clock: Clock
  readonly origin: string
  readonly secret: string
  readonly now: number
}

function stepsDone({ hasKey, garments, webhook, hasDelivered }: Overview): Record<Step, boolean> {
  return {
    tenant: true,
    key: hasKey,
    garment: garments.length > 0,
    webhook: webhook.enabled || hasDelivered,
    delivered: hasDelivered,
  }
}

const order = ['key', 'garment', 'webhook', 'delivered'] as const

export const OverviewPage = (props: OverviewPageProps) => {
  const { overview, tenant, now } = props
  const done = stepsDone(overview)
  const next = order.find((step) => !done[step])
  return (
    <>
      <Heading title={tenant.name} lead={tenant.domain}>
        <a class="button" href="/dashboard/upload">
          Upload a garment
        </a>
      </Heading>
      <WebhookHealth overview={overview} now={now} />
      {next !== undefined && (
        <Steps
          done={done}
          open={<NextStep step={next} origin={props.origin} domain={tenant.domain} secret={props.secret} />}
        />
      )}
      {(next === undefined || overview.garments.length > 0) && <Figures {...props} />}
    </>
  )
}

/** Left out while there is nothing to show but the first steps. */
const Figures = ({ overview, usage, tenant, clock, now }: OverviewPageProps) => (
  <>
    <div class="halves">
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Requests of the last minute</h2>
        <RequestMeter usage={usage} now={now} />
      </section>
      <section class="card" aria-labelledby="webhook">
        <h2 id="webhook">Webhook</h2>
        <WebhookState overview={overview} />
      </section>
    </div>
    <section class="card" aria-labelledby="fortnight">
      <h2 id="fortnight">Garments of the last {overview.days.length} days</h2>
      {overview.days.some(({ complete, failed }) => complete + failed > 0) ? (
        <Plot days={overview.days} series={garmentSeries} label="Garments that ended, by day" />
      ) : (
        <Empty title="Nothing to count yet">
          <p>Each day's garments appear here as a bar.</p>
        </Empty>
      )}
    </section>
    <section
      class="card flush"
      id="live"
      aria-labelledby="newest"
      {...(overview.garments.some(({ status }) => isActive(status)) ? { 'data-live': '' } : {})}
    >
      <h2 id="newest">Newest garments</h2>
      {overview.garments.length === 0 ? (
        <Empty title="No garment yet">
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
      <Notice tone="bad" title={`The webhook was switched off by us: ${webhook.disabledReason}`}>
        <p>
          <a href="/dashboard/webhook">Look at the webhook</a>
        </p>
      </Notice>
    )
  if (!webhook.enabled || webhook.failingSince === null) return null
  return (
    <Notice tone="bad" title={`Your system has not taken a delivery for ${duration(now - webhook.failingSince)}.`}>
      <p>
        <a href="/dashboard/deliveries">Look at what it answers</a>
      </p>
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
      <p>
        <a href="/dashboard/webhook">Set up the webhook</a> to have results sent to your system.
      </p>
    </>
  )

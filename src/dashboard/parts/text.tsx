import type { Child } from 'hono/jsx'
import { toIso } from '../../time.ts'
import type { Clock } from '../clock.ts'
import type { Stage } from '../../garments/own-values.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import type { DeliveryRow } from '../../events/delivery.ts'

/** A time in the tenant's zone, with the exact instant in `datetime`. */
export const When = ({ at, clock }: { at: number; clock: Clock }) => <time datetime={toIso(at)}>{clock.text(at)}</time>

/** The same as a table cell. On narrow screens tables become lists. */
export const WhenCell = ({ label, ...time }: { label: string; at: number; clock: Clock }) => (
  <td data-label={label}>
    <When {...time} />
  </td>
)

export type Tone = 'good' | 'bad' | 'busy' | 'calm'

/** A status. Its colour adds nothing that the text does not say. */
export const Badge = ({ tone, children }: { tone: Tone; children?: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** How each status is shown. */
export type StatusNames<T extends string> = Readonly<Record<T, readonly [Tone, name: string]>>

export function StatusBadge<T extends string>({ names, status }: { names: StatusNames<T>; status: T }) {
  const [tone, name] = names[status]
  return <Badge tone={tone}>{name}</Badge>
}

export const Notice = ({ tone, title, children }: { tone: Tone; title: string; children?: Child }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p class="title">{title}</p>
    {children}
  </div>
)

/** The empty state of a list or section. */
export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children}
  </div>
)

/** Text with a copy button, which is shown only where scripts run. */
export const Copyable = ({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) => (
  <div class="copyable">
    <pre class={wrap ? 'wrap' : undefined} tabindex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
    <button type="button" class="quiet" data-copy={text} hidden>
      Copy<span class="visually-hidden"> {label}</span>
    </button>
  </div>
)

/** The title of a page, with an optional lead and actions. */
export const Heading = ({ title, lead, children }: { title: Child; lead?: Child; children?: Child }) => (
  <div class="heading">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children !== undefined && <div class="actions">{children}</div>}
  </div>
)

interface BreadcrumbProps {
  /** The section's name in its address. */
  readonly name: string
  readonly path: string
  readonly children?: Child
}

/** The way back: the page above this one, and what follows it. */
export const Breadcrumb = ({ name, path, children }: BreadcrumbProps) => (
  <p class="crumb">
    <a href={path}>{name}</a>
    {children}
  </p>
)

/** A list of names and values. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const garmentNames: StatusNames<GarmentRow['status']> = {
  queuing: ['calm', 'Queuing'],
  processing: ['busy', 'Processing'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
}

const deliveryNames: StatusNames<DeliveryRow['status']> = {
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  permanently_failed: ['bad', 'Permanently failed'],
}

export const GarmentStatus = ({ status }: { status: GarmentRow['status'] }) => (
  <StatusBadge names={garmentNames} status={status} />
)

const stageNames: StatusNames<Stage> = {
  draft: ['calm', 'Draft'],
  ready: ['busy', 'Ready'],
  listed: ['good', 'Listed'],
  sold: ['calm', 'Sold'],
  withdrawn: ['calm', 'Withdrawn'],
}

export const StageBadge = ({ stage }: { stage: Stage }) => <StatusBadge names={stageNames} status={stage} />

export const DeliveryStatus = ({ status }: { status: DeliveryRow['status'] }) => (
  <StatusBadge names={deliveryNames} status={status} />
)

export const isActive = (status: GarmentRow['status']) => status === 'queuing' || status === 'processing'

/** The file that was uploaded. The browser never loads the client's image URL. */
export const Original = ({ path }: { path: string | null }) =>
  path === null ? null : (
    <figure class="card picture">
      <a href={path}>
        <img src={path} alt="Original picture" loading="lazy" decoding="async" />
      </a>
      <figcaption>The original, as shops get it: without what the camera wrote into the file.</figcaption>
    </figure>
  )

/** A receiver's response body. It is untrusted, and shown as text. */
export const ResponseBody = ({ body, label = 'Response' }: { body: string; label?: string }) =>
  body === '' ? null : (
    <pre class="wrap response" tabindex={0} role="region" aria-label={label}>
      <code>{body}</code>
    </pre>
  )

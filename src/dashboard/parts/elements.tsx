import { type Child, createContext, useContext } from 'hono/jsx'
import { toIso } from '../../time.ts'
import { type Clock, createClock } from '../clock.ts'
import type { Viewer } from '../viewer.ts'
import type { Stage } from '../../garments/listing-values.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import type { DeliveryRow } from '../../events/delivery.ts'

/** The viewer of the page, set by `render`. */
export const CurrentViewer = createContext<Viewer | undefined>(undefined)

export const useClock = (): Clock => useContext(CurrentViewer)?.clock ?? createClock('UTC')

/** Shows a time in the tenant's time zone, with the exact instant in `datetime`. */
export const When = ({ at }: { at: number }) => <time datetime={toIso(at)}>{useClock().text(at)}</time>

export const WhenCell = ({ label, at }: { label: string; at: number }) => (
  <td data-label={label}>
    <When at={at} />
  </td>
)

export type Tone = 'good' | 'bad' | 'busy' | 'calm'

/** Shows a status. Its text says everything that its colour says. */
export const Badge = ({ tone, children }: { tone: Tone; children?: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

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

interface LinkProps {
  readonly to: string
  readonly children?: Child
}

export const ButtonLink = ({ to, children }: LinkProps) => (
  <a class="button" href={to}>
    {children}
  </a>
)

export const PlainLink = ({ to, children }: LinkProps) => (
  <a class="button plain" href={to}>
    {children}
  </a>
)

/** A hanger, for pages that have nothing else to show. */
export const Picture = () => (
  <svg class="hanger" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
    <path d="M20 13a4 4 0 1 1 4 5v3L6 33a2 2 0 0 0 1 4h34a2 2 0 0 0 1-4L24 21" />
  </svg>
)

export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <Picture />
    <p class="title">{title}</p>
    {children}
  </div>
)

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

export const Heading = ({ title, lead, children }: { title: Child; lead?: Child; children?: Child }) => (
  <div class="heading">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children !== undefined && <div class="actions">{children}</div>}
  </div>
)

interface CardProps {
  readonly id: string
  readonly title: Child
  /** `flush` is for tables that reach the card's edges. */
  readonly kind?: 'flush' | 'narrow' | 'danger'
  readonly children?: Child
}

export const Card = ({ id, title, kind, children }: CardProps) => (
  <section class={kind === undefined ? 'card' : `card ${kind}`} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

interface SectionProps {
  readonly id: string
  readonly title: Child
  /** `wide` is open except on phones, where a script closes it. */
  readonly open?: boolean | 'wide'
  readonly children?: Child
}

export const Section = ({ id, title, open = false, children }: SectionProps) => (
  <details class="section" id={id} open={open !== false} data-wide={open === 'wide' ? '' : undefined}>
    <summary>
      <h2>{title}</h2>
    </summary>
    {children}
  </details>
)

interface BreadcrumbProps {
  readonly name: string
  readonly path: string
  readonly children?: Child
}

export const Breadcrumb = ({ name, path, children }: BreadcrumbProps) => (
  <p class="crumb">
    <a href={path}>{name}</a>
    {children}
  </p>
)

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const maybeWhen = (at: number | null) => (at === null ? null : <When at={at} />)

const garmentNames: StatusNames<GarmentRow['status']> = {
  queuing: ['calm', 'Waiting'],
  processing: ['busy', 'In progress'],
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

/** Shows the uploaded file. The browser never loads the client's image URL. */
export const Original = ({ path }: { path: string | null }) =>
  path === null ? null : (
    <figure class="card picture">
      <a href={path}>
        <img src={path} alt="Original picture" loading="lazy" decoding="async" />
      </a>
      <figcaption>The original, as shops get it: without what the camera wrote into the file.</figcaption>
    </figure>
  )

/** Shows a receiver's response body as text, because it is untrusted. */
export const ResponseBody = ({ body, label = 'Response' }: { body: string; label?: string }) =>
  body === '' ? null : (
    <pre class="wrap response" tabindex={0} role="region" aria-label={label}>
      <code>{body}</code>
    </pre>
  )

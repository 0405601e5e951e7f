import { type Child, createContext, useContext } from 'hono/jsx'
import { toIso } from '../../time.ts'
import { type Clock, createClock } from '../clock.ts'
import type { Viewer } from '../viewer.ts'
import type { Stage } from '../../garments/own-values.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import type { DeliveryRow } from '../../events/delivery.ts'

/** Who looks at the page; set by `render`. */
export const CurrentViewer = createContext<Viewer | undefined>(undefined)

export const useClock = (): Clock => useContext(CurrentViewer)?.clock ?? createClock('UTC')

/** A time in the tenant's zone, with the exact instant in `datetime`. */
export const When = ({ at }: { at: number }) => <time datetime={toIso(at)}>{useClock().text(at)}</time>

/** The same as a table cell. On narrow screens tables become lists. */
export const WhenCell = ({ label, at }: { label: string; at: number }) => (
  <td data-label={label}>
    <When at={at} />
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

interface LinkProps {
  readonly to: string
  readonly children?: Child
}

/** A link that looks like a button. */
export const ButtonLink = ({ to, children }: LinkProps) => (
  <a class="button" href={to}>
    {children}
  </a>
)

/** One that stands beside another, or is not what most people want. */
export const PlainLink = ({ to, children }: LinkProps) => (
  <a class="button plain" href={to}>
    {children}
  </a>
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

/** What was just done, for the page's heading; set by `render`. */
export const Done = createContext<Child>(null)

/** The title of a page, with an optional lead and actions, and what was just done. */
export const Heading = ({ title, lead, children }: { title: Child; lead?: Child; children?: Child }) => (
  <>
    <div class="heading">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
    {useContext(Done)}
  </>
)

interface CardProps {
  readonly id: string
  readonly title: Child
  /** Flush is for a table, which reaches the edges. */
  readonly kind?: 'flush' | 'narrow' | 'danger'
  readonly children?: Child
}

/** A part of a page with a heading of its own, which names it. */
export const Card = ({ id, title, kind, children }: CardProps) => (
  <section class={kind === undefined ? 'card' : `card ${kind}`} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
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

/** A list of names and values, without those that have none. */
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

/** A time that may be missing. */
export const maybeWhen = (at: number | null) => (at === null ? null : <When at={at} />)

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

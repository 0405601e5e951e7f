import type { Child } from 'hono/jsx'
import type { Clock } from '../clock.ts'

/** A time in the tenant's zone; the exact instant is in the element. */
export const When = ({ at, clock }: { at: number; clock: Clock }) => (
  <time datetime={new Date(at).toISOString()}>{clock.text(at)}</time>
)

export type Tone = 'good' | 'bad' | 'busy' | 'calm'

/** A status in a word; its colour only repeats what the word says. */
export const Badge = ({ tone, children }: { tone: Tone; children?: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

export const Notice = ({ tone, title, children }: { tone: Tone; title: string; children?: Child }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p class="title">{title}</p>
    {children}
  </div>
)

/** What will appear in a place where there is nothing yet. */
export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children}
  </div>
)

/** A text to be copied. The button works with scripts only, and is shown only with them. */
export const Copyable = ({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) => (
  <div class="copyable">
    <pre class={wrap ? 'wrap' : undefined} tabindex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
    <button type="button" class="quiet" data-copy={text} hidden>
      Copy<span class="unseen"> {label}</span>
    </button>
  </div>
)

/** The head of a page. */
export const Heading = ({ title, lead, children }: { title: Child; lead?: Child; children?: Child }) => (
  <div class="heading">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children !== undefined && <div class="actions">{children}</div>}
  </div>
)

/** Name and value, side by side. */
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

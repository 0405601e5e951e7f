import type { Child } from 'hono/jsx'
import { HiddenFields } from './fields.tsx'

interface ConfirmProps {
  readonly summary: Child
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
  /** The button that does it. */
  readonly children?: Child
}

/** A form that is shown only after a first click. */
export const Confirm = ({ summary, action, fields = {}, children }: ConfirmProps) => (
  <details class="confirm">
    <summary>{summary}</summary>
    <form method="post" action={action}>
      <HiddenFields fields={fields} />
      {children}
    </form>
  </details>
)

/** Deletes something of which `children` say what goes with it, once it is confirmed. */
export const ConfirmDelete = ({ what, action, children }: { what: string; action: string; children?: Child }) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete the {what}</h2>
    <p>{children}</p>
    <Confirm summary={`Delete the ${what}`} action={action}>
      <p>This cannot be undone.</p>
      <button class="bad">Delete it now</button>
    </Confirm>
  </section>
)

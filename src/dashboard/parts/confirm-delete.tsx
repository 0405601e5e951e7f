import type { Child } from 'hono/jsx'

/** Deletes something of which `children` say what goes with it, once it is confirmed. */
export const ConfirmDelete = ({ what, action, children }: { what: string; action: string; children?: Child }) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete the {what}</h2>
    <p>{children}</p>
    <details class="confirm">
      <summary>Delete the {what}</summary>
      <form method="post" action={action}>
        <p>This cannot be undone.</p>
        <button class="bad">Delete it now</button>
      </form>
    </details>
  </section>
)

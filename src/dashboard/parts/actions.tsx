import { Card, CurrentViewer } from './elements.tsx'
import { type Child, useContext } from 'hono/jsx'
import { mayUse } from '../../accounts/permissions.ts'
import { Form, PostForm } from './form-fields.tsx'
import { type DeliveryRow, kindOf } from '../../events/delivery.ts'
import { pathOfDelivery, webhookPath } from '../paths.ts'

/** Shows its children only to members who may use the route that they lead to, and `otherwise` to the others. */
export const Allowed = ({ to, otherwise, children }: { to: string; otherwise?: Child; children?: Child }) => (
  <>{mayUse(useContext(CurrentViewer)?.role ?? 'reviewer', to) ? children : otherwise}</>
)

interface ConfirmProps {
  readonly summary: Child
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
  /** The button that does it. */
  readonly children?: Child
}

/** A form that is shown only after a first click. */
export const Confirm = ({ summary, ...form }: ConfirmProps) => (
  <details class="confirm">
    <summary>{summary}</summary>
    <Form {...form} />
  </details>
)

/** Puts something into the bin. `children` say what that means. */
export const Bin = ({ what, action, children }: { what: string; action: string; children?: Child }) => (
  <Card id="delete" title={`Delete the ${what}`} kind="danger">
    <p>{children}</p>
    <PostForm action={action} button="Put it into the bin" kind="bad" />
  </Card>
)

/** The form that attempts a delivery now, while its endpoint is on. */
export const Resend = ({ delivery, isWebhookOn }: { delivery: DeliveryRow; isWebhookOn: boolean }) =>
  isWebhookOn ? (
    <PostForm
      action={pathOfDelivery(delivery)}
      fields={{ uuid: delivery.garmentUuid, kind: kindOf(delivery), endpoint: delivery.endpoint }}
      button={delivery.status === 'pending' ? 'Attempt now' : 'Send again'}
      kind="plain"
    />
  ) : (
    <p>
      The webhook is off.{' '}
      <Allowed to="GET /dashboard/webhook" otherwise="To send this again, ask an owner to switch it on.">
        <a href={webhookPath}>Switch it on</a> to send this again.
      </Allowed>
    </p>
  )

interface RowActionProps {
  readonly path: string
  /** The fields that are sent, which name the row. */
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
  /** The rest of its name for screen readers. */
  readonly about: string
  /** Whether it removes something. */
  readonly isBad?: boolean
}

/** The button of a table's row, in a cell of its own. */
export const RowAction = ({ path, fields, label, about, isBad = false }: RowActionProps) => (
  <td class="end">
    <Form action={path} fields={fields}>
      <button class={isBad ? 'quiet bad' : 'quiet'}>
        {label}
        <span class="visually-hidden"> {about}</span>
      </button>
    </Form>
  </td>
)

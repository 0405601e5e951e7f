import { CurrentViewer, Section } from './elements.tsx'
import { type Child, useContext } from 'hono/jsx'
import { mayUse } from '../../accounts/permissions.ts'
import { Form, PostForm } from './form-fields.tsx'
import type { DeliveryRow } from '../../events/delivery.ts'
import { pathOfDelivery, webhookPath } from '../paths.ts'

/** Shows `children` only to members who may use the route `to`, and `otherwise` to all others. */
export const Allowed = ({ to, otherwise, children }: { to: string; otherwise?: Child; children?: Child }) => (
  <>{mayUse(useContext(CurrentViewer)?.role ?? 'reviewer', to) ? children : otherwise}</>
)

interface ConfirmProps {
  readonly summary: Child
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
  readonly children?: Child
}

export const Confirm = ({ summary, ...form }: ConfirmProps) => (
  <details class="confirm">
    <summary>{summary}</summary>
    <Form {...form} />
  </details>
)

/** Section with a button that moves something to the bin. `children` explain the consequences. */
export const Bin = ({ what, action, children }: { what: string; action: string; children?: Child }) => (
  <Section id="delete" title={`Delete the ${what}`}>
    <p>{children}</p>
    <PostForm action={action} button="Move it to the bin" kind="bad" />
  </Section>
)

export const Resend = ({ delivery, isWebhookOn }: { delivery: DeliveryRow; isWebhookOn: boolean }) =>
  isWebhookOn ? (
    <PostForm
      action={pathOfDelivery(delivery)}
      fields={{ uuid: delivery.garmentUuid, kind: delivery.kind, endpoint: delivery.endpointId }}
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
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
  /** Completes the button's name for screen readers. */
  readonly about: string
  readonly isBad?: boolean
}

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

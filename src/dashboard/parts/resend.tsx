import { kindOf, type DeliveryRow } from '../../webhook/delivery/conditions.ts'
import { pathOfDelivery, webhookPath } from '../paths.ts'
import { Allowed } from './allowed.tsx'
import { HiddenFields } from './fields.tsx'

/** The form that attempts a delivery now, while its endpoint is on. */
export const Resend = ({ delivery, isWebhookOn }: { delivery: DeliveryRow; isWebhookOn: boolean }) =>
  isWebhookOn ? (
    <form method="post" action={pathOfDelivery(delivery)}>
      <HiddenFields fields={{ uuid: delivery.garmentUuid, kind: kindOf(delivery), endpoint: delivery.endpoint }} />
      <button class="plain">{delivery.status === 'pending' ? 'Attempt now' : 'Send again'}</button>
    </form>
  ) : (
    <p>
      The webhook is off.{' '}
      <Allowed to="GET /dashboard/webhook" otherwise="Ask an owner to switch it on.">
        <a href={webhookPath}>Switch it on</a> to send this again.
      </Allowed>
    </p>
  )

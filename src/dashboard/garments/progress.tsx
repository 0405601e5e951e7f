import type { GarmentResult } from '../../garments/fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { type Clock, fromNow } from '../clock.ts'
import { DeliveryStatus, Empty, Facts, isActive, Notice, When } from '../parts/text.tsx'
import { failureReason } from '../../garments/failure.ts'
import { fileIdsOf } from '../../garments/pictures/images.ts'
import { contentTypes, formatNames } from '../../vision/image/formats.ts'
import { Allowed, Resend } from '../parts/actions.tsx'
import { blankForm, Frame, HiddenFields, inputAttributes } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { pathOfDelivery, retryPath, retryWithFilePath } from '../paths.ts'
import type { ListValues } from './filter.tsx'
import type { DeliveryTo } from './find-garment.ts'
import { kindOf } from '../../events/delivery.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { endpointName } from '../webhook/endpoints-page.tsx'

const steps = [
  ['queuing', 'Waiting in the queue'],
  ['processing', 'Fetching and tagging the picture'],
  ['complete', 'Done'],
] as const

interface ProgressProps {
  readonly status: GarmentRow['status']
  readonly retry: GarmentResult['retry']
  readonly clock: Clock
}

export const Progress = ({ status, retry, clock }: ProgressProps) => (
  <section class="card" aria-label="Progress">
    <ol class="progress">
      {steps.map(([step, name]) => (
        <li aria-current={step === status ? 'step' : undefined}>{name}</li>
      ))}
    </ol>
    {retry !== undefined && (
      <Notice tone="calm" title={retry.failure_reason}>
        <p>
          It was tried {retry.tries === 1 ? 'once' : `${retry.tries} times`}. Next try:{' '}
          <When at={Date.parse(retry.next_try_at)} clock={clock} />
        </p>
      </Notice>
    )}
    <p class="hint">
      {retry === undefined && 'Most garments take less than a second. '}
      <span data-with-scripts hidden>
        This page updates automatically.
      </span>
      <a href="" data-without-scripts>
        Reload
      </a>
    </p>
  </section>
)

interface FailureProps {
  readonly garment: GarmentRow
  readonly list: ListValues
}

/** The failure reason, and a form that tags the garment again with the attributes that it has. */
export const Failure = ({ garment, list }: FailureProps) => (
  <div class="notice bad">
    <p class="title">{failureReason(garment.failureReason)}</p>
    <p>
      <a href="/docs/guides/errors#garments-that-failed">What to do</a>
    </p>
    <Allowed to="POST /dashboard/garment/retry">
      {fileIdsOf(garment).length > 0 ? (
        <RetryWithFile uuid={garment.uuid} list={list} />
      ) : (
        <Retry uuid={garment.uuid} list={list} />
      )}
    </Allowed>
  </div>
)

interface RetryProps {
  readonly uuid: string
  readonly list: ListValues
}

const Retry = ({ uuid, list }: RetryProps) => (
  <>
    <p>Fix the picture, then tag it again.</p>
    <form method="post" action={withQuery(retryPath, list)}>
      <HiddenFields fields={{ uuid }} />
      <button class="plain">Tag again</button>
    </form>
  </>
)

/** The file is last, so that it can be streamed. */
const RetryWithFile = ({ uuid, list }: RetryProps) => {
  const file = {
    form: blankForm,
    name: 'image',
    label: 'Another picture',
    hint: `${formatNames}, at most 20 MiB.`,
  }
  return (
    <form method="post" action={withQuery(retryWithFilePath, list)} enctype="multipart/form-data" novalidate>
      <HiddenFields fields={{ uuid }} />
      <Frame {...file}>
        <input {...inputAttributes(file)} type="file" accept={contentTypes.join(',')} />
      </Frame>
      <button class="plain">Upload and tag again</button>
    </form>
  )
}

interface GarmentDeliveriesProps {
  readonly deliveries: readonly DeliveryTo[]
  readonly status: GarmentRow['status']
  readonly clock: Clock
  readonly now: number
}

/** The webhook deliveries about the garment to each endpoint; nothing for a shop that has none. */
export const GarmentDeliveries = ({ deliveries, status, ...time }: GarmentDeliveriesProps) =>
  deliveries.length === 0 && !isActive(status) ? null : (
    <section class="card" aria-labelledby="delivery">
      <h2 id="delivery">{deliveries.length > 1 ? 'Webhook deliveries' : 'Webhook delivery'}</h2>
      {deliveries.length === 0 && (
        <Empty title="No delivery yet">
          <p>If the webhook is on, the result is delivered as soon as tagging ends.</p>
        </Empty>
      )}
      {deliveries.map((each) => (
        <>
          {deliveries.length > 1 && <h3>{nameOf(each)}</h3>}
          <Delivery {...each} {...time} />
        </>
      ))}
    </section>
  )

function nameOf({ delivery, description, url }: DeliveryTo): string {
  const to = url === null || url === '' ? 'A deleted endpoint' : endpointName({ description: description ?? '', url })
  return kindOf(delivery) === 'tagging' ? to : `${to}, ${kindOf(delivery)}`
}

const Delivery = ({ delivery, isEnabled, clock, now }: DeliveryTo & { clock: Clock; now: number }) => (
  <>
    <Facts
      facts={[
        ['Status', <DeliveryStatus status={delivery.status} />],
        ['Attempts', String(delivery.attemptCount)],
        ...(delivery.lastAttemptAt === null
          ? []
          : [['Last attempt', <When at={delivery.lastAttemptAt} clock={clock} />] as const]),
        ...(delivery.nextAttemptAt === null ? [] : [['Next attempt', fromNow(delivery.nextAttemptAt, now)] as const]),
        ...(delivery.lastError === '' ? [] : [['Last error', deliveryError(delivery.lastError)] as const]),
      ]}
    />
    <Allowed to="POST /dashboard/delivery">
      <p>
        <a href={pathOfDelivery(delivery)}>Attempts and resend</a>
      </p>
      <Resend delivery={delivery} isWebhookOn={isEnabled === 1} />
    </Allowed>
  </>
)

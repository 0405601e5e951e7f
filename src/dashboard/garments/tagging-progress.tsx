import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { fromNow } from '../clock.ts'
import { DeliveryStatus, Facts, maybeWhen, Notice, Section, When } from '../parts/elements.tsx'
import { failureAdvice } from './failure-advice.ts'
import { fileIdsOf, parsePictures } from '../../garments/pictures/garment-picture.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { Allowed, Resend } from '../parts/actions.tsx'
import { FileField, PostForm } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { pathOfDelivery, retryPath, retryWithFilePath } from '../paths.ts'
import type { ListValues } from './garment-filter.tsx'
import type { DeliveryTo } from './find-garment.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { endpointName } from '../webhook/endpoints-page.tsx'

const steps = [
  ['queuing', 'Waiting its turn'],
  ['processing', 'Looking at the picture'],
  ['complete', 'Done'],
] as const

export const Progress = ({ status, retry }: { status: GarmentRow['status']; retry: GarmentResult['retry'] }) => (
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
          <When at={Date.parse(retry.next_try_at)} />
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

export const Failure = ({ garment, list }: { garment: GarmentRow; list: ListValues }) => (
  <div class="notice bad">
    <p class="title">{failureAdvice(garment.failure)}</p>
    <p>
      <a href="/docs/guides/errors#garments-that-failed">What to do</a>
    </p>
    <Allowed to="POST /dashboard/garment/retry">
      {fileIdsOf(parsePictures(garment)).length > 0 ? (
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
    <PostForm action={withQuery(retryPath, list)} fields={{ uuid }} button="Try again" kind="plain" />
  </>
)

/** The file comes last in the form, so that it can be streamed. */
const RetryWithFile = ({ uuid, list }: RetryProps) => (
  <PostForm
    action={withQuery(retryWithFilePath, list)}
    enctype="multipart/form-data"
    button="Upload and try again"
    kind="plain"
  >
    <input type="hidden" name="uuid" value={uuid} />
    <FileField name="image" label="Another picture" hint={`${formatNames}, at most 20 MiB.`} />
  </PostForm>
)

interface GarmentDeliveriesProps {
  readonly deliveries: readonly DeliveryTo[]
  readonly now: number
}

/** Shows the garment's webhook deliveries, or nothing without one. */
export const GarmentDeliveries = ({ deliveries, ...time }: GarmentDeliveriesProps) =>
  deliveries.length === 0 ? null : (
    <Section id="delivery" title={deliveries.length > 1 ? 'Webhook deliveries' : 'Webhook delivery'} open="wide">
      {deliveries.map((each) => (
        <>
          {deliveries.length > 1 && <h3>{nameOf(each)}</h3>}
          <Delivery {...each} {...time} />
        </>
      ))}
    </Section>
  )

function nameOf({ delivery, endpoint }: DeliveryTo): string {
  const to = (endpoint && endpointName(endpoint)) || 'A deleted endpoint'
  return delivery.kind === 'tagging' ? to : `${to}, ${delivery.kind}`
}

const Delivery = ({ delivery, endpoint, now }: DeliveryTo & { now: number }) => (
  <>
    <Facts
      facts={[
        ['Status', <DeliveryStatus status={delivery.status} />],
        ['Attempts', String(delivery.attemptCount)],
        ['Last attempt', maybeWhen(delivery.lastAttemptAt)],
        ['Next attempt', delivery.nextAttemptAt && fromNow(delivery.nextAttemptAt, now)],
        ['Last error', delivery.lastError && deliveryError(delivery.lastError)],
      ]}
    />
    <Allowed to="POST /dashboard/delivery">
      <p>
        <a href={pathOfDelivery(delivery)}>Attempts and resend</a>
      </p>
      <Resend delivery={delivery} isWebhookOn={endpoint?.enabled === true} />
    </Allowed>
  </>
)

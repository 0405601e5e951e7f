import { failureReason } from '../../garment/errors/failure.ts'
import { attributeSchema, knownAttributes, type GarmentResult } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { isUploadedFile } from '../../garment/uploaded-file.ts'
import { attributeField } from '../attribute-fields.ts'
import type { Clock } from '../clock.ts'
import { toLines } from '../name-value-lines.ts'
import { HiddenFields } from '../parts/fields.tsx'
import { Notice, When } from '../parts/text.tsx'

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

/** The failure reason and a button that uploads again: a failed uuid may be reused. */
export const Failure = ({ garment }: { garment: GarmentRow }) => {
  if (isUploadedFile(garment.imageUrl))
    return (
      <div class="notice bad">
        <p class="title">{failureReason(garment.failureReason)}</p>
        <p>
          Upload another picture under the same uuid at <a href="/dashboard/imports">Imports</a>.
        </p>
      </div>
    )
  const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
  const isKnown = (key: string) => knownAttributes.includes(key)
  const others = Object.fromEntries(Object.entries(attribute).filter(([key]) => !isKnown(key)))
  const fields = {
    uuid: garment.uuid,
    image_url: garment.imageUrl,
    attribute: toLines(others),
    ...Object.fromEntries(knownAttributes.map((key) => [attributeField(key), attribute[key] ?? ''])),
  }
  return (
    <div class="notice bad">
      <p class="title">{failureReason(garment.failureReason)}</p>
      <p>
        <a href="/docs/guides/errors#garments-that-failed">What to do</a>
      </p>
      <p>Fix the picture, then tag it again under the same uuid.</p>
      <form method="post" action="/dashboard/upload">
        <HiddenFields fields={fields} />
        <button class="plain">Tag again</button>
      </form>
    </div>
  )
}

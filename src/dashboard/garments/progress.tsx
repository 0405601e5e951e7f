import type { GarmentResult } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { Clock } from '../clock.ts'
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

import { maxEndpoints } from '../../webhook/errors.ts'
import type { EndpointWithHealth } from '../../webhook/endpoint/list-endpoint-health.ts'
import type { Answer } from '../../webhook/request/call-receiver.ts'
import { ConfirmDelete } from '../parts/confirm.tsx'
import type { FormState } from '../parts/fields.tsx'
import { Breadcrumb, Heading, Notice } from '../parts/text.tsx'
import { endpointDeliveriesPath, webhookPath } from '../paths.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointName } from './endpoint-name.ts'
import { Health, SwitchedOff } from './health.tsx'
import { TestCard } from './test-card.tsx'
import { TestResult } from './test-result.tsx'

export interface EndpointPageProps {
  readonly form: FormState
  /** Where the form is sent. */
  readonly action: string
  /** Undefined for one that is not stored yet. */
  readonly row: EndpointWithHealth | undefined
  /** How many endpoints the tenant has. */
  readonly count: number
  readonly notice?: string | undefined
  readonly test?: Answer
  readonly now: number
}

/** One endpoint; of a tenant that has no other, its webhook. */
export const EndpointPage = ({ form, action, row, count, notice, test, now }: EndpointPageProps) => {
  const isOnly = row === undefined ? count === 0 : count === 1
  const title = row === undefined ? 'New endpoint' : endpointName(row)
  return (
    <div class="narrow">
      {!isOnly && <Breadcrumb name="Webhook" path={webhookPath} />}
      <Heading
        title={isOnly ? 'Webhook' : <span class="break">{title}</span>}
        lead={
          <>
            When a garment is tagged, its result is sent to your system by POST, with up to nine attempts.{' '}
            <a href="/docs/guides/polling-or-webhooks">How to receive it</a>,{' '}
            <a href="/docs/guides/verify-signatures">how to verify its signature</a>
          </>
        }
      >
        {row !== undefined && (
          <a class="button plain" href={endpointDeliveriesPath(row.endpoint)}>
            Deliveries
          </a>
        )}
        {isOnly && row !== undefined && count < maxEndpoints && (
          <a class="button plain" href={`${webhookPath}/new`}>
            Add an endpoint
          </a>
        )}
      </Heading>
      {row !== undefined && <SwitchedOff row={row} />}
      {notice !== undefined && (
        <Notice tone="good" title={notice}>
          <p>If you replaced the secret, the old one also signs for 24 hours.</p>
        </Notice>
      )}
      {test !== undefined && <TestResult test={test} />}
      {row !== undefined && <Health row={row} now={now} />}
      <EndpointForm form={form} action={action} />
      {row !== undefined && <TestCard row={row} />}
      {row !== undefined && (
        <ConfirmDelete what="endpoint" action={`${webhookPath}/delete?id=${encodeURIComponent(row.endpoint)}`}>
          Its address, secret and headers are removed at once, and what is pending for it ends. Ended deliveries stay in
          the list.
        </ConfirmDelete>
      )}
    </div>
  )
}

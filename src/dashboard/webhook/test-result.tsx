import type { Answer } from '../../webhook/request/call-receiver.ts'
import { deliveryError } from '../../webhook/delivery-error.ts'
import { duration } from '../clock.ts'
import { Notice } from '../parts/text.tsx'
import { ResponseBody } from './response-body.tsx'

export const TestResult = ({ test }: { test: Answer }) => {
  const isAccepted = test.ok
  const title = isAccepted
    ? 'Your system accepted the test event.'
    : `Your system did not accept the test event: ${deliveryError(test.error)}`
  return (
    <Notice tone={isAccepted ? 'good' : 'bad'} title={title}>
      <p>
        {test.status === 0 ? 'No response' : `It responded with HTTP ${test.status}`} after {duration(test.durationMs)}.
      </p>
      <ResponseBody body={test.body} />
    </Notice>
  )
}

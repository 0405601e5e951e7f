import type { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { duration } from '../clock.ts'
import { Notice } from '../parts/text.tsx'
import { ResponseBody } from './response-body.tsx'

export const TestResult = ({ test }: { test: Awaited<ReturnType<typeof sendTestEvent>> }) => {
  const isAccepted = test.status === 'delivered'
  const title = isAccepted
    ? 'Your system accepted the test event.'
    : `Your system did not accept the test event: ${test.error}`
  return (
    <Notice tone={isAccepted ? 'good' : 'bad'} title={title}>
      <p>
        {test.response_status === 0 ? 'No response' : `It responded with HTTP ${test.response_status}`} after{' '}
        {duration(test.duration_ms)}.
      </p>
      <ResponseBody body={test.response_body} />
    </Notice>
  )
}

import type { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { duration } from '../clock.ts'
import { Notice } from '../parts/text.tsx'
import { Answered } from './answered.tsx'

export const TestResult = ({ test }: { test: Awaited<ReturnType<typeof sendTestEvent>> }) => {
  const isTaken = test.status === 'delivered'
  const title = isTaken ? 'Your system took the test event.' : `Your system did not take the test event: ${test.error}`
  return (
    <Notice tone={isTaken ? 'good' : 'bad'} title={title}>
      <p>
        {test.response_status === 0 ? 'No answer came' : `It answered HTTP ${test.response_status}`} after{' '}
        {duration(test.duration_ms)}.
      </p>
      <Answered body={test.response_body} />
    </Notice>
  )
}

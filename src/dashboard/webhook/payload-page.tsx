import { eventSummary, sampleEvents, samplePayload } from '../../webhook/events.ts'
import { Breadcrumb, Copyable, Heading } from '../parts/text.tsx'
import { webhookPath } from '../paths.ts'
import { payloadPath } from './test-card.tsx'

type SampleEvent = (typeof sampleEvents)[number]

const bodyOf = (event: SampleEvent, now: number) =>
  JSON.stringify(JSON.parse(new TextDecoder().decode(samplePayload(event, now).body)), null, 2)

/** What an event contains, as a receiver gets it. */
export const PayloadPage = ({ event, now }: { event: SampleEvent; now: number }) => (
  <div class="narrow">
    <Breadcrumb name="Webhook" path={webhookPath} />
    <Heading
      title="Events"
      lead={
        <>
          The body of each event, with a sample garment. It is sent without line breaks; verify its signature over the
          bytes as they arrive. <a href="/docs/api/webhook-events">All fields and headers</a>
        </>
      }
    />
    <nav class="filter" aria-label="Event">
      {sampleEvents.map((each) => (
        <a href={payloadPath(each)} aria-current={each === event ? 'page' : undefined}>
          {each}
        </a>
      ))}
    </nav>
    <section class="card" aria-labelledby="event">
      <h2 id="event">{eventSummary(event)}</h2>
      <Copyable text={bodyOf(event, now)} label={`body of ${event}`} />
    </section>
  </div>
)

import type { ConfigRow } from '../../webhook/config/config-row.ts'
import { eventSummary, sampleEvents } from '../../webhook/events.ts'
import { webhookPath } from '../paths.ts'

export const payloadPath = (event: string) => `${webhookPath}/payload?event=${encodeURIComponent(event)}`

/** Sends an event to the stored URL. */
export const TestCard = ({ row }: { row: ConfigRow }) => (
  <section class="card" aria-labelledby="test">
    <h2 id="test">Test event</h2>
    <p>
      Sends a signed event with a sample garment to the saved URL now.{' '}
      <a href={payloadPath('tagging.completed')}>See what each event contains</a>
    </p>
    <form method="post" action={`${webhookPath}/test`}>
      <input type="hidden" name="endpoint" value={row.endpoint} />
      <div class="field">
        <label for="field-type">Event</label>
        <select id="field-type" name="type">
          {sampleEvents.map((event) => (
            <option value={event} selected={event === 'webhook.test'}>
              {event}: {eventSummary(event)}
            </option>
          ))}
        </select>
      </div>
      <button class="plain">Send a test event</button>
    </form>
  </section>
)

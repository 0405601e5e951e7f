import { Copyable, Heading, Notice } from '../parts/text.tsx'
import { curlOfUpload } from '../curl.ts'

interface NewKeyProps {
  readonly apiKey: string
  readonly name: string
  readonly domain: string
  readonly origin: string
}

export const NewKeyPage = ({ apiKey, name, domain, origin }: NewKeyProps) => (
  <div class="narrow">
    <Heading title="Your new API key" lead={`For “${name}”.`} />
    <Notice tone="busy" title="Copy it now: it is shown this once only.">
      <p>We keep no copy. If it is lost, revoke it and create another.</p>
    </Notice>
    <section class="card">
      <Copyable text={apiKey} label="API key" wrap />
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p>This uploads a garment. Put the address of a picture of yours in it.</p>
      <Copyable text={curlOfUpload({ origin, domain, apiKey })} label="upload command" />
    </section>
    <p class="actions">
      <a class="button" href="/dashboard">
        I have copied it
      </a>
      <a class="button plain" href="/dashboard/keys">
        All keys
      </a>
    </p>
  </div>
)

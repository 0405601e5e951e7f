import { Copyable, Heading, Notice } from '../parts/text.tsx'
import { uploadCommand } from '../curl.ts'

interface NewKeyProps {
  readonly apiKey: string
  readonly name: string
  readonly domain: string
  readonly origin: string
}

export const NewKeyPage = ({ apiKey, name, domain, origin }: NewKeyProps) => (
  <div class="narrow">
    <Heading title="Your new API key" lead={`For “${name}”.`} />
    <Notice tone="busy" title="Copy it now. It is shown only once.">
      <p>We do not store it. If you lose it, revoke it and create another.</p>
    </Notice>
    <section class="card">
      <Copyable text={apiKey} label="API key" wrap />
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p>
        This uploads a garment. Replace the example URL with one of your own.{' '}
        <a href="/docs/guides/first-garment#4-upload">All steps</a>
      </p>
      <Copyable text={uploadCommand({ origin, domain, apiKey })} label="upload command" />
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

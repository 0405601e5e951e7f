import { samplePictures } from '../../outbound/sample-pictures.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { uploadCommand } from '../curl.ts'
import { Field, idOf } from '../parts/fields.tsx'
import { importsPath, webhookPath } from '../paths.ts'
import { Copyable } from '../parts/text.tsx'
import { KeyForm } from '../tenant/keys-page.tsx'
import type { Purpose, Step } from './steps.tsx'

interface NextStepProps {
  readonly step: Step
  readonly purpose: Purpose
  readonly origin: string
  readonly domain: string
  /** A new webhook secret, suggested in the form. */
  readonly secret: string
}

/** The form or commands for one step of the checklist. */
export const NextStep = ({ step, purpose, origin, domain, secret }: NextStepProps) => {
  switch (step) {
    case 'tenant':
      return null
    case 'key':
      return <KeyForm form={{ values: {} }} />
    case 'garment':
      return purpose === 'here' ? <FirstPicture origin={origin} /> : <FirstGarment origin={origin} domain={domain} />
    case 'webhook':
      return <FirstWebhook secret={secret} />
    case 'delivered':
      return <FirstDelivery origin={origin} domain={domain} />
  }
}

const FirstPicture = ({ origin }: { origin: string }) => (
  <>
    <p>
      <a class="button" href={importsPath}>
        Choose or take pictures
      </a>
    </p>
    <form method="post" action="/dashboard/upload">
      <input type="hidden" name="uuid" value={crypto.randomUUID()} />
      <input type="hidden" name="image_url" value={`${origin}/samples/${samplePictures[0]}`} />
      <p>No picture at hand?</p>
      <button class="plain">Try one of ours</button>
    </form>
  </>
)

const FirstGarment = ({ origin, domain }: { origin: string; domain: string }) => (
  <>
    <form method="post" action="/dashboard/upload" novalidate>
      <input type="hidden" name="uuid" value={crypto.randomUUID()} />
      <Field
        form={{ values: {} }}
        name="image_url"
        type="url"
        label="Image URL"
        placeholder="https://shop.example.com/garment.jpg"
        hint={`A flat-lay on a plain background: ${formatNames}, publicly reachable.`}
      />
      <button>Upload and tag</button>
    </form>
    <p>Or from your shell, with your key in the variable API_KEY:</p>
    <Copyable text={uploadCommand({ origin, domain })} label="upload command" />
  </>
)

const FirstWebhook = ({ secret }: { secret: string }) => (
  <form method="post" action={webhookPath} novalidate>
    <input type="hidden" name="enabled" value="on" />
    <Field
      form={{ values: {} }}
      name="url"
      type="url"
      label="Webhook URL"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="Receives a POST with JSON and answers with any 2xx status."
    />
    <Field
      form={{ values: { secret } }}
      name="secret"
      label="Secret"
      hint="Generated for you. Your system verifies our signature with it (Standard Webhooks)."
      mono
      optional
    />
    <div class="actions">
      <button>Save and switch on</button>
      <button type="button" class="quiet" data-copy-from={idOf('secret')} hidden>
        Copy the secret
      </button>
    </div>
  </form>
)

const FirstDelivery = ({ origin, domain }: { origin: string; domain: string }) => (
  <>
    <form method="post" action={`${webhookPath}/test`}>
      <p>Check that your system answers:</p>
      <button>Send a test event</button>
    </form>
    <p>
      Then <a href="/dashboard/upload">upload a garment</a>, here or with curl:
    </p>
    <Copyable text={uploadCommand({ origin, domain })} label="upload command" />
  </>
)

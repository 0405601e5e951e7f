import { Hono } from 'hono'
import { useContext, type Child } from 'hono/jsx'
import { createTenant } from '../accounts/create-tenant.ts'
import { inventDomain, newTenantSchema } from '../accounts/tenant.ts'
import { newId } from '../platform/db/database.ts'
import { formBody, type FormValues, parseFields, submitForm } from './form.ts'
import { render } from './parts/layout.tsx'
import { buildPath, importsPath, webhookPath } from './paths.ts'
import { type DashboardEnv, madeBy } from './viewer.ts'
import { Choice, CurrentForm, TextArea, Field, Form, type FormState, idOf, PostForm } from './parts/form-fields.tsx'
import { samplePictures } from '../platform/outbound/fetch-image.ts'
import { formatNames } from '../vision/image/formats.ts'
import { uploadCommand } from './curl.ts'
import { ButtonLink, PlainLink, Card, Copyable, Empty, Heading, Notice } from './parts/elements.tsx'
import { parseExportDefaults, putExportDefaults } from '../exports/shops/export-defaults.ts'
import { languageNames, languages } from '../garments/listing-texts/listing-words.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { guessLocale } from './guess-locale.ts'
import { Allowed } from './parts/actions.tsx'

/** The merchant's purpose: to work on these pages, or to connect a system. */
export const purposes = ['here', 'api'] as const

type Purpose = (typeof purposes)[number]

const stepsHere = [
  ['tenant', 'Name your shop', 'Its garments are kept apart from all others.'],
  ['garment', 'Describe your first garment', 'From a picture on this device, or one of ours.'],
] as const

const stepsByApi = [
  ['tenant', 'Create your shop', 'Holds your garments, API keys and webhook under one domain.'],
  ['key', 'Create an API key', 'Sent with every request, together with your domain.'],
  ['garment', 'Tag your first garment', 'Here or with curl. The result appears within seconds.'],
  ['webhook', 'Set up the webhook', 'Each result is sent to your system as soon as it is ready.'],
  ['delivered', 'Receive a delivery', 'The next garment you upload is delivered to your system.'],
] as const

type Step = (typeof stepsByApi)[number][0]

interface StepsProps {
  readonly purpose: Purpose
  readonly done: Readonly<Partial<Record<Step, boolean>>>
  readonly forms: Readonly<Partial<Record<Step, Child>>>
}

export const Steps = ({ purpose, done, forms }: StepsProps) => {
  const steps = purpose === 'here' ? stepsHere : stepsByApi
  const next = steps.find(([step]) => !done[step])?.[0]
  if (next === undefined) return null
  const count = steps.filter(([step]) => done[step]).length
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">
        First steps <span class="hint">{`${count} of ${steps.length} done`}</span>
      </h2>
      <ol class="steps">
        {steps.map(([step, name, why]) => (
          <li
            class={done[step] ? 'done' : step === next ? 'next' : ''}
            aria-current={step === next ? 'step' : undefined}
          >
            <p class="title">
              {name}
              <span class="visually-hidden">{done[step] ? ' (done)' : ' (to do)'}</span>
            </p>
            {!done[step] && <p class="hint">{why}</p>}
            {step === next && <div class="open">{forms[step]}</div>}
          </li>
        ))}
      </ol>
    </section>
  )
}

export const FirstPicture = ({ origin }: { origin: string }) => (
  <>
    <p>
      <ButtonLink to={importsPath}>Choose or take pictures</ButtonLink>
    </p>
    <TrySample origin={origin} />
  </>
)

const TrySample = ({ origin }: { origin: string }) => (
  <PostForm
    action="/dashboard/upload"
    fields={{ uuid: crypto.randomUUID(), image_url: `${origin}/samples/${samplePictures[0]}` }}
    button="Try a sample"
    kind="plain"
  >
    <p>No picture at hand?</p>
  </PostForm>
)

export const FirstGarment = ({ origin, domain }: { origin: string; domain: string }) => (
  <>
    <PostForm action="/dashboard/upload" fields={{ uuid: crypto.randomUUID() }} button="Upload and tag">
      <Field
        name="image_url"
        type="url"
        label="Image URL"
        placeholder="https://shop.example.com/garment.jpg"
        hint={`A flat-lay on a plain background: ${formatNames}, publicly reachable.`}
      />
    </PostForm>
    <TrySample origin={origin} />
    <p>Or a sample from your shell, with your key in the variable API_KEY:</p>
    <Copyable text={uploadCommand({ origin, domain })} label="upload command" />
  </>
)

export const FirstWebhook = ({ secret }: { secret: string }) => (
  <Form action={webhookPath} fields={{ enabled: 'on' }} form={{ values: { secret } }}>
    <Field
      name="url"
      type="url"
      label="Webhook URL"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="Receives a POST with JSON and answers with any 2xx status."
    />
    <Field
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
  </Form>
)

export const FirstDelivery = ({ origin, domain }: { origin: string; domain: string }) => (
  <>
    <PostForm action={`${webhookPath}/test`} button="Send a test event">
      <p>Check that your system answers:</p>
    </PostForm>
    <p>
      Then <a href="/dashboard/upload">upload a garment</a>, here or with curl:
    </p>
    <Copyable text={uploadCommand({ origin, domain })} label="upload command" />
  </>
)

interface WelcomePageProps {
  readonly name: string
  readonly purpose: Purpose | undefined
  readonly acceptLanguage: string | undefined
  readonly form?: FormState
  readonly needsShop?: boolean
}

export const WelcomePage = ({
  name,
  purpose,
  acceptLanguage,
  form = blankForm(acceptLanguage),
  needsShop = false,
}: WelcomePageProps) => (
  <>
    <Heading
      title={`Welcome, ${name}`}
      lead={purpose ? undefined : 'What would you like to do first? You can add the other one at any time.'}
    />
    {needsShop && (
      <Notice tone="calm" title="First give your shop a name.">
        <p>Garments, imports, exports and all other pages belong to a shop. You create it here, in one step.</p>
      </Notice>
    )}
    <Allowed to="POST /dashboard/tenant" otherwise={<NoTenant />}>
      {purpose === undefined ? (
        <Purposes />
      ) : (
        <Steps
          purpose={purpose}
          done={{}}
          forms={{ tenant: purpose === 'here' ? <ShopForm form={form} /> : <TenantForm form={form} /> }}
        />
      )}
    </Allowed>
  </>
)

const NoTenant = () => (
  <Empty title="There is no shop yet">
    <p>An owner of the account has to create one.</p>
  </Empty>
)

const Purposes = () => (
  <div class="halves">
    <Card id="here" title="Sell">
      <p>Photograph garments, correct what is wrong, and copy titles, texts and sizes to your shop.</p>
      <ButtonLink to="/dashboard?purpose=here">Describe garments here</ButtonLink>
    </Card>
    <Card id="api" title="Build">
      <p>Your system sends pictures with an API key and receives each result by a webhook.</p>
      <PlainLink to="/dashboard?purpose=api">Connect my shop by API</PlainLink>
    </Card>
  </div>
)

const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'JPY', 'CNY', 'INR', 'AUD', 'CAD']

export const tenantFields = ['name', 'domain', 'description', 'settings.timezone', 'settings.currency']

/** A form with values guessed from the browser. A script replaces the time zone. */
function blankForm(acceptLanguage: string | undefined): FormState {
  const { currency, language } = guessLocale(acceptLanguage)
  return { values: { 'settings.timezone': 'UTC', 'settings.currency': currency, language } }
}

/** Form for merchants who work on these pages. The domain is generated, because only the API needs it. */
const ShopForm = ({ form }: { form: FormState }) => (
  <PostForm action="/dashboard/tenant" form={form} button="Continue">
    <input type="hidden" name="purpose" value="here" />
    <Field name="name" label="Name of your shop" />
    <Choice name="language" label="Language of your listings" values={languages} names={languageNames} />
    <ZoneAndCurrency />
  </PostForm>
)

const TenantForm = ({ form }: { form: FormState }) => (
  <PostForm action="/dashboard/tenant" form={form} button="Create the shop">
    <div class="pair">
      <Field name="name" label="Name" hint="Your shop or brand." />
      <Field
        name="domain"
        label="Domain"
        placeholder="shop.example.com"
        hint="Sent in the DOMAIN header of every request. It cannot be changed later."
        mono
      />
    </div>
    <TextArea name="description" label="Description" rows={2} optional />
    <ZoneAndCurrency />
  </PostForm>
)

export const ZoneAndCurrency = () => (
  <>
    <div class="pair">
      <Field
        name="settings.timezone"
        label="Time zone"
        list="zones"
        hint="For times on these pages."
        data={useContext(CurrentForm).values['name'] === undefined ? { 'data-zone': '' } : {}}
      />
      <Field name="settings.currency" label="Currency" list="currencies" hint="Three letters, such as EUR." />
    </div>
    <datalist id="zones">
      {Intl.supportedValuesOf('timeZone').map((zone) => (
        <option value={zone} />
      ))}
    </datalist>
    <datalist id="currencies">
      {currencies.map((currency) => (
        <option value={currency} />
      ))}
    </datalist>
  </>
)

const isShop = ({ purpose }: FormValues) => purpose === 'here'

export const toTenant = ({ name = '', domain = '', description = '', ...rest }: FormValues) => ({
  name,
  domain: isShop(rest) ? inventDomain(name, newId()) : domain.trim(),
  description,
  settings: { timezone: rest['settings.timezone']?.trim(), currency: rest['settings.currency']?.trim().toUpperCase() },
})

export const firstStepPages = new Hono<DashboardEnv>()

firstStepPages.post('/dashboard/tenant', formBody, async (c) => {
  const result = await submitForm(c, tenantFields, async (values) => {
    const tenant = parseFields(newTenantSchema, toTenant(values))
    const { id, actor } = c.get('viewer')
    const created = await createTenant(c.env, id, tenant, Date.now(), actor)
    const language = languages.find((each) => each === values['language'])
    if (language !== undefined) {
      const defaults = { ...parseExportDefaults(null, tenant.settings.currency), language }
      await putExportDefaults(tenantDatabase(c.env, created.id), created.id, defaults, madeBy(c))
    }
  })
  if (result.ok) return c.redirect(isShop(result.values) ? '/dashboard' : buildPath, 303)
  const { form } = result
  const purpose = isShop(form.values) ? 'here' : 'api'
  const page = <WelcomePage name={c.get('viewer').name} acceptLanguage={undefined} {...{ purpose, form }} />
  return await render(c, { title: 'Create your shop', section: '/dashboard' }, page)
})

import { Field, Summary, TextArea, type FormState } from '../parts/fields.tsx'

const zones = Intl.supportedValuesOf('timeZone')
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'JPY', 'CNY', 'INR', 'AUD', 'CAD']

export const tenantFields = ['name', 'domain', 'description', 'settings.timezone', 'settings.currency']

export const tenantDefaults = { 'settings.timezone': 'UTC', 'settings.currency': 'USD' }

/** For merchants who work on these pages. The domain is generated, because only API requests need it. */
export const ShopForm = ({ form }: { form: FormState }) => (
  <form method="post" action="/dashboard/tenant" novalidate>
    <Summary form={form} />
    <input type="hidden" name="purpose" value="here" />
    <Field form={form} name="name" label="Name of your shop" />
    <ZoneAndCurrency form={form} />
    <button>Continue</button>
  </form>
)

export const TenantForm = ({ form }: { form: FormState }) => (
  <form method="post" action="/dashboard/tenant" novalidate>
    <Summary form={form} />
    <div class="pair">
      <Field form={form} name="name" label="Name" hint="Your shop or brand." />
      <Field
        form={form}
        name="domain"
        label="Domain"
        placeholder="shop.example.com"
        hint="Sent in the DOMAIN header of every request. It cannot be changed later."
        mono
      />
    </div>
    <TextArea form={form} name="description" label="Description" rows={2} optional />
    <ZoneAndCurrency form={form} />
    <button>Create tenant</button>
  </form>
)

const ZoneAndCurrency = ({ form }: { form: FormState }) => (
  <>
    <div class="pair">
      <Field
        form={form}
        name="settings.timezone"
        label="Time zone"
        list="zones"
        hint="For times on these pages."
        data={{ 'data-zone': '' }}
      />
      <Field form={form} name="settings.currency" label="Currency" list="currencies" hint="An ISO 4217 code." />
    </div>
    <datalist id="zones">
      {zones.map((zone) => (
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

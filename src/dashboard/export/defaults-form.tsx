import { ageGroups, availabilities } from '../../export/shop/defaults.ts'
import { ebaySites } from '../../export/shop/ebay-sites.ts'
import { conditions } from '../../listing/condition.ts'
import { languageNames, languages } from '../../listing/languages.ts'
import { wearers } from '../../vision/attributes/wearer.ts'
import type { FormValues } from '../form.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { exportDefaultsPath } from '../paths.ts'

const prefix = 'default.'

/** The names of the form's fields, which differ from those of the export form on the same page. */
export const toFields = <T,>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))

/** The fields that were sent, by the names of the defaults. */
export const fromFields = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value.trim()]] : [],
    ),
  )

/** Values that a shop's file has for garments that have none of their own. */
export const DefaultsForm = ({ form }: { form: FormState }) => (
  <section class="card" aria-labelledby="defaults">
    <h2 id="defaults">Defaults for shops</h2>
    <p class="lead">
      A garment's own attributes, such as <code>Price</code> or <code>Size</code>, go before them.{' '}
      <a href="/docs/guides/selling#your-own-values">All names</a>
    </p>
    <form method="post" action={exportDefaultsPath} novalidate>
      <Summary form={form} />
      <div class="pair">
        <Choice form={form} name="default.language" label="Language" names={languageNames} values={languages} />
        <Field form={form} name="default.brand" label="Brand" hint="Of garments without one." optional />
        <Field form={form} name="default.price" label="Price" hint="For example 12.50" optional />
        <Field form={form} name="default.currency" label="Currency" hint="For example EUR" optional />
        <Field form={form} name="default.link" label="Link to the garment" hint={linkHint} optional />
        <Choice form={form} name="default.condition" label="Condition" empty="Unknown" values={conditions} optional />
        <Field form={form} name="default.stock" label="Stock" hint="How many there are of each." optional />
        <Choice
          form={form}
          name="default.availability"
          label="Availability"
          empty="Unknown"
          values={availabilities}
          optional
        />
        <Choice form={form} name="default.gender" label="For" empty="Unknown" values={wearers} optional />
        <Choice form={form} name="default.age_group" label="Age group" empty="Unknown" values={ageGroups} optional />
        <Field form={form} name="default.size" label="Size" hint="For example One size" optional />
        <Choice form={form} name="default.ebay_site" label="eBay site" values={ebaySites.map(({ name }) => name)} />
        <Field
          form={form}
          name="default.ebay_category"
          label="eBay category"
          hint="A number. Without one, it follows from type and gender."
          optional
        />
      </div>
      <button class="plain">Save defaults</button>
    </form>
  </section>
)

const linkHint = (
  <>
    With <code>{'{uuid}'}</code>, <code>{'{sku}'}</code> or <code>{'{handle}'}</code>, for example
    https://example.com/products/{'{handle}'}
  </>
)

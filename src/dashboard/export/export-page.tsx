import type { ExportReport } from '../../export/check-export.ts'
import type { ExportDefaults } from '../../export/shop/defaults.ts'
import type { ShopFormat } from '../../export/shop/formats.ts'
import type { LastExport } from '../../export/since.ts'
import { languageNames, languages } from '../../listing/languages.ts'
import type { Clock } from '../clock.ts'
import type { FormValues } from '../form.ts'
import { Choice } from '../parts/choice.tsx'
import { Check, Field, type FormState } from '../parts/fields.tsx'
import { GarmentFilters } from '../parts/garment-filters.tsx'
import { Breadcrumb, Heading, Notice } from '../parts/text.tsx'
import { exportFilePath, exportPath, garmentsPath } from '../paths.ts'
import { DefaultsForm, toFields } from './defaults-form.tsx'
import { formatNames, isFormat } from './labels.ts'
import { Report } from './report.tsx'

interface ExportPageProps {
  /** Of the form, from the page's address. */
  readonly values: FormValues
  readonly defaults: ExportDefaults
  readonly last: ReadonlyMap<string, LastExport>
  readonly report: (ExportReport & { readonly format: ShopFormat }) | null
  readonly defaultsForm: FormState | undefined
  readonly clock: Clock
}

const filterNames = ['search', 'brand', 'item_type', 'colour', 'from', 'to', 'corrected', 'doubtful', 'status']

export const ExportPage = ({ values, defaults, last, report, defaultsForm, clock }: ExportPageProps) => {
  const form = { values: { language: defaults.language, ...values } }
  const times = [...last].flatMap(([format, { exportedAt }]) =>
    isFormat(format) ? [`${formatNames[format]}: ${clock.text(exportedAt)}`] : [],
  )
  return (
    <div class="narrow">
      <Breadcrumb name="Garments" path={garmentsPath} />
      <Heading
        title="Export garments"
        lead="One file with all garments that match the filters, oldest first. A shop's file has what is tagged, with titles and texts for customers."
      />
      {values['done'] === 'defaults-saved' && <Notice tone="good" title="The defaults are saved." />}
      {report !== null && <Report report={report} name={formatNames[report.format]} />}
      <form class="card" method="post" action={exportFilePath} data-download="">
        <div class="pair">
          <Choice
            form={form}
            name="format"
            label="Format"
            hint="Shopify, Google Merchant and eBay import their file as it is."
            names={formatNames}
            groups={[
              { label: 'For shops', values: ['shopify', 'google', 'ebay'] },
              { label: 'All values', values: ['csv', 'json'] },
            ]}
          />
          <Choice
            form={form}
            name="language"
            label="Language"
            hint="Of the titles and texts for shops."
            names={languageNames}
            values={languages}
          />
        </div>
        <details open={filterNames.some((name) => (values[name] ?? '') !== '')}>
          <summary>Filters</summary>
          <div class="pair">
            <Field form={form} name="search" label="uuid" hint="Or its beginning." optional />
            <Choice
              form={form}
              name="status"
              label="Status"
              hint="A shop's file has complete garments only."
              empty="All"
              values={['complete', 'failed', 'waiting']}
              optional
            />
          </div>
          <GarmentFilters form={form} />
        </details>
        <Check form={form} name="since" value="last" label="Only what is new since the last export" />
        <p class="hint">
          {times.length === 0 ? 'Nothing was exported yet.' : `Last whole export: ${times.join(', ')}.`} An export with
          filters does not count.
        </p>
        <Check form={form} name="incomplete" label="Also garments that the shop would refuse" />
        <p class="hint">
          Without it, a garment that lacks something that the shop requires is left out. The check names them all.
        </p>
        <p class="actions">
          <button>Download</button>
          <button class="plain" formmethod="get" formaction={exportPath} name="check" value="yes">
            Check for a shop
          </button>
        </p>
      </form>
      <DefaultsForm form={defaultsForm ?? { values: toFields(defaults) }} />
    </div>
  )
}

import { Choice } from '../parts/choice.tsx'
import { ItemTypeChoice, UploadedBetween } from '../parts/garment-filters.tsx'
import { Heading } from '../parts/text.tsx'

export const filePath = '/dashboard/export/file'

export const ExportPage = () => {
  const form = { values: {} }
  return (
    <div class="narrow">
      <p class="crumb">
        <a href="/dashboard/garments">Garments</a>
      </p>
      <Heading
        title="Export garments"
        lead="One file with all garments that match the filters, oldest first. Corrected values are followed by the original ones."
      />
      <form class="card" action={filePath}>
        <Choice
          form={form}
          name="format"
          label="Format"
          hint="Shopify and Google Merchant files use the column names of their imports."
          groups={[
            { label: 'All values', values: ['csv', 'json'] },
            { label: 'For shops', values: ['shopify', 'google'] },
          ]}
        />
        <div class="pair">
          <UploadedBetween form={form} />
          <Choice
            form={form}
            name="status"
            label="Status"
            empty="All"
            groups={[{ label: 'Status', values: ['complete', 'failed', 'queuing', 'processing'] }]}
            optional
          />
          <ItemTypeChoice form={form} />
        </div>
        <button>Download</button>
      </form>
    </div>
  )
}

import { Hono } from 'hono'
import { z } from 'zod'
import { listForCopying, markCopied } from '../exports/list-for-copying.ts'
import { findExportState } from '../exports/last-exports.ts'
import { shopOf } from '../exports/shops/shop-formats.ts'
import type { Product } from '../exports/shops/product.ts'
import { formatNumber } from '../garments/list/garment-number.ts'
import { languages } from '../garments/listing-texts/listing-words.ts'
import { settingsOf } from '../settings.ts'
import { formBody, parseFields, readForm } from './form.ts'
import { filterValues, readFilter } from './garments/garment-filter.tsx'
import { limitExports, limitWrites } from './limit-writes.ts'
import { Form, PostForm } from './parts/form-fields.tsx'
import { render } from './parts/layout.tsx'
import { Filter, Pager, selectField, withQuery } from './parts/list-parts.tsx'
import { Breadcrumb, Copyable, Empty, Facts, Heading } from './parts/elements.tsx'
import { exportPath, garmentPath, selectedPicturesPath, vintedPath } from './paths.ts'
import { type DashboardEnv, forTenant } from './viewer.ts'

const pageSize = 10

/** Columns of the file that no form of Vinted asks for. Pictures have a button of their own. */
const omittedColumns = ['SKU', 'Currency', 'Photos']

interface VintedGarmentProps {
  readonly product: Product
  /** The names and values that a listing on Vinted needs. */
  readonly values: readonly (readonly [name: string, value: string])[]
  readonly fields: Readonly<Record<string, string>>
}

const VintedGarment = ({ product: { garment, listing }, values, fields }: VintedGarmentProps) => (
  <section class="card" aria-label={formatNumber(garment.number)}>
    <h2>
      <a class="break" href={garmentPath(garment.uuid)}>
        {garment.thumbnail !== '' && <img src={garment.thumbnail} alt="" width="48" height="48" loading="lazy" />}{' '}
        {listing.title}
      </a>{' '}
      <span class="hint">{formatNumber(garment.number)}</span>
    </h2>
    <Facts
      facts={values.map(([name, value]) => [name, value && <Copyable text={value} label={name.toLowerCase()} wrap />])}
    />
    <div class="actions">
      <Form
        action={selectedPicturesPath}
        fields={{ format: 'pictures', [selectField(garment.uuid)]: 'yes' }}
        data-download=""
      >
        <button class="plain">Download pictures</button>
      </Form>
      {garment.exportRecords['vinted'] === undefined ? (
        <PostForm
          action={vintedPath}
          fields={{ ...fields, uuid: garment.uuid }}
          button="It is on Vinted"
          kind="plain"
        />
      ) : (
        <p class="hint">Marked as on Vinted</p>
      )}
    </div>
  </section>
)

export const vintedPages = new Hono<DashboardEnv>()

vintedPages.get(vintedPath, forTenant, async (c) => {
  const query = c.req.query()
  const [db, tenant] = [c.get('db'), c.get('tenant')]
  await limitExports(c.env, tenant.id)
  const { defaults } = await findExportState(db, tenant.id, tenant.currency)
  const withMarked = query['all'] === 'yes'
  const list = filterValues(query)
  const { products, nextCursor } = await listForCopying(db, tenant.id, {
    ...readFilter(list, c.get('viewer').clock),
    cursor: query['cursor'],
    defaults,
    publicUrl: settingsOf(c.env).PUBLIC_URL,
    withMarked,
    limit: pageSize,
  })
  const columns = shopOf('vinted', defaults).columns.filter(([name]) => !omittedColumns.includes(name))
  const pages = { ...list, ...(withMarked && { all: 'yes' }) }
  return await render(
    c,
    { title: 'Copy to Vinted', section: exportPath },
    <div class="narrow">
      <Breadcrumb name="Export garments" path={exportPath} />
      <Heading
        title="Copy to Vinted"
        lead="Vinted takes no file from sellers. Copy each value with one click, and download the pictures."
      />
      <Filter
        label="Garments"
        options={[
          [undefined, 'Not on Vinted yet'],
          ['yes', 'All for sale'],
        ]}
        current={withMarked ? 'yes' : undefined}
        href={(all) => withQuery(vintedPath, { ...list, all })}
      />
      {products.length === 0 && (
        <Empty title="No garments to copy">
          <p>Garments that are sold, withdrawn or unfinished are not listed here.</p>
        </Empty>
      )}
      {products.map((product) => (
        <VintedGarment
          product={product}
          values={columns.map(([name, valueOf]) => [name, valueOf(product)])}
          fields={{ ...pages, language: defaults.language }}
        />
      ))}
      <Pager
        path={vintedPath}
        query={pages}
        isFirst={query['cursor'] === undefined}
        next={nextCursor}
        nextName="More garments"
      />
    </div>,
  )
})

const markedFields = z.object({
  uuid: z.string().min(1),
  language: z.enum(languages, 'must be a known language'),
})

vintedPages.post(vintedPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  await markCopied(c.get('db'), tenantId, parseFields(markedFields, values), Date.now())
  const all = values['all'] === 'yes' ? 'yes' : undefined
  return c.redirect(withQuery(vintedPath, { ...filterValues(values), all }), 303)
})

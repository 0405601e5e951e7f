import { Hono } from 'hono'
import { z } from 'zod'
import { encode } from 'uqr'
import { formatNumber } from '../../garments/list/garment-number.ts'
import { type ListedGarment, listGarments, listedGarments } from '../../garments/list/list-garments.ts'
import { countGarments } from '../../platform/format-count.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { selectedIds, withQuery } from '../parts/list-parts.tsx'
import { Breadcrumb, Heading } from '../parts/elements.tsx'
import { garmentsPath, labelsPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { editFormId } from './edit-page.tsx'
import { filterValues, type FilterValues, readFilter } from './garment-filter.tsx'
import { shownTexts } from './garment-table.tsx'

/** Label sheets. `labels.css` contains their measures. */
const sheets = {
  'a4-24': 'A4, 24 labels of 70 × 37 mm',
  'a4-40': 'A4, 40 labels of 52.5 × 29.7 mm',
  'roll-62': 'A roll, 62 × 29 mm',
  'roll-57': 'A roll, 57 × 32 mm',
} as const

type Sheet = keyof typeof sheets

const sheetNames = Object.keys(sheets) as [Sheet, ...Sheet[]]

/** Ten sheets of 40 labels. */
const maxLabels = 400

/** The button belongs to the edit form, because its checkboxes select the garments. */
export const PrintLabels = ({ filter }: { filter: FilterValues }) => (
  <details class="card">
    <summary>Print labels</summary>
    <div class="panel">
      <p class="hint">
        Each label has a QR code, number, title, size and price. Type or scan the number into the search above to open
        the garment.
      </p>
      <div class="field">
        <label for="sheet">Labels</label>
        <select id="sheet" name="sheet" form={editFormId} data-remembered="">
          {sheetNames.map((name) => (
            <option value={name}>{sheets[name]}</option>
          ))}
        </select>
      </div>
      <div class="actions">
        {(['selected', 'all'] as const).map((scope) => (
          <button
            class={scope === 'all' ? 'plain' : undefined}
            form={editFormId}
            formaction={withQuery(labelsPath, filter)}
            name="scope"
            value={scope}
          >
            {scope === 'all' ? `Labels of all matching garments` : 'Labels of the selected'}
          </button>
        ))}
      </div>
    </div>
  </details>
)

interface LabelProps {
  readonly garment: ListedGarment
  readonly currency: string
  readonly origin: string
}

const Label = ({ garment, currency, origin }: LabelProps) => {
  const number = formatNumber(garment.number)
  const { name, size, price } = shownTexts(garment, currency)
  return (
    <li>
      <Code text={`${origin}${withQuery(garmentsPath, { search: number })}`} />
      <div>
        <p class="title">{name}</p>
        <p class="facts">
          {size !== '' && <span>{size}</span>}
          {price !== '' && <strong>{price}</strong>}
        </p>
        <p class="number">{number}</p>
      </div>
    </li>
  )
}

/** Draws a QR code as one path. It is hidden from screen readers, because the number beside it says the same. */
const Code = ({ text }: { text: string }) => {
  const { size, data } = encode(text, { ecc: 'M', border: 1 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shape-rendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  )
}

const fields = z.object({ sheet: z.enum(sheetNames, 'must be one of the sizes') })

export const labelPages = new Hono<DashboardEnv>()

labelPages.post(labelsPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const { sheet } = parseFields(fields, { sheet: values['sheet'] })
  const [db, { id: tenantId, currency }] = [c.get('db'), c.get('tenant')]
  await limitWrites(c.env, tenantId)
  const filter = filterValues(c.req.query())
  const isAll = values['scope'] === 'all'
  const uuids = selectedIds(values)
  if (!isAll && uuids.length === 0) throw invalidBody(['Select at least one garment in the list.'])
  const found = isAll
    ? await listGarments(db, tenantId, { ...readFilter(filter, c.get('viewer').clock), limit: maxLabels })
    : { garments: await listedGarments(db, tenantId, uuids), nextCursor: null }
  const garments = found.garments.filter(({ status }) => status === 'complete')
  if (garments.length === 0) throw invalidBody(['None of these garments is complete.'])
  const { origin } = new URL(c.req.url)
  return await render(
    c,
    { title: 'Labels', section: garmentsPath },
    <>
      <link rel="stylesheet" href="/assets/labels.css" />
      <div class="no-print">
        <Breadcrumb name="Garments" path={withQuery(garmentsPath, filter)} />
        <Heading
          title="Labels"
          lead={`${countGarments(garments.length)}, for ${sheets[sheet]}. Print without margins and at 100 %.`}
        >
          <button type="button" data-print="" data-with-scripts="" hidden>
            Print
          </button>
        </Heading>
        {found.nextCursor !== null && <p>These are the first {maxLabels}. Narrow it for the others.</p>}
      </div>
      <ul class={`labels ${sheet}`} aria-label="Labels">
        {garments.map((garment) => (
          <Label garment={garment} currency={currency} origin={origin} />
        ))}
      </ul>
    </>,
  )
})

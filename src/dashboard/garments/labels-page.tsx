import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { z } from 'zod'
import { encode } from 'uqr'
import { formatNumber } from '../../garments/list/garment-number.ts'
import { type ListedGarment, listGarments, listedGarments } from '../../garments/list/list-garments.ts'
import { parsePictures, shownPicture } from '../../garments/pictures/garment-picture.ts'
import { thumbnailPath } from '../../garments/pictures/stored-copy.ts'
import { findNumbers, listReserved, maxLabelsAtOnce, reserveNumbers } from '../../garments/reserve-numbers.ts'
import { countGarments } from '../../platform/format-count.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { selectedIds, withQuery } from '../parts/list-parts.tsx'
import { PostForm } from '../parts/form-fields.tsx'
import { Breadcrumb, Heading } from '../parts/elements.tsx'
import { blankLabelsPath, garmentsPath, labelsPath, numbersPath } from '../paths.ts'
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

/** The button belongs to the edit form, because its checkboxes select the garments. */
export const PrintLabels = ({ filter }: { filter: FilterValues }) => (
  <details class="card">
    <summary>Print labels</summary>
    <div class="panel">
      <p class="hint">
        Each label has a QR code, number, title, size and price. Type or scan the number into the search above to open
        the garment.
      </p>
      <SheetField id="sheet" label="Labels" form={editFormId} />
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
      <h2>Blank labels</h2>
      <BlankLabels />
    </div>
  </details>
)

export const BlankLabels = () => (
  <PostForm action={blankLabelsPath} button="Print 40 blank labels" kind="plain">
    <p class="hint">
      Put a label on each new garment and photograph it first: it starts the garment’s pictures and gives it its number.
    </p>
    <SheetField id="blank-sheet" label="Sheet for blank labels" value="a4-40" />
  </PostForm>
)

interface SheetFieldProps {
  readonly id: string
  readonly label: string
  readonly form?: string
  readonly value?: Sheet
}

const SheetField = ({ id, label, form, value }: SheetFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} name="sheet" form={form} data-remembered="">
      {sheetNames.map((name) => (
        <option value={name} selected={name === value}>
          {sheets[name]}
        </option>
      ))}
    </select>
  </div>
)

interface LabelProps {
  readonly garment: ListedGarment
  readonly currency: string
  readonly origin: string
}

const codeText = (origin: string, number: number) =>
  `${origin}${withQuery(garmentsPath, { search: formatNumber(number) })}`

const BlankLabel = ({ number, origin }: { number: number; origin: string }) => (
  <li class="blank">
    <Code text={codeText(origin, number)} />
    <p class="number">{formatNumber(number)}</p>
  </li>
)

const Label = ({ garment, currency, origin }: LabelProps) => {
  const number = formatNumber(garment.number)
  const { name, size, price } = shownTexts(garment, currency)
  return (
    <li>
      <Code text={codeText(origin, garment.number)} />
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

const sheetField = z.enum(sheetNames, 'must be one of the sizes')

const fields = z.object({ sheet: sheetField })

const blankFields = z.object({
  sheet: sheetField,
  first: z.coerce.number().int().min(1),
  count: z.coerce.number().int().min(1).max(maxLabelsAtOnce),
})

const blankCount = 40

interface SheetPageProps {
  readonly title: string
  readonly lead: string
  readonly sheet: Sheet
  readonly back: string
  readonly note?: Child
  readonly children: Child
}

const SheetPage = ({ title, lead, sheet, back, note, children }: SheetPageProps) => (
  <>
    <link rel="stylesheet" href="/assets/labels.css" />
    <div class="no-print">
      <Breadcrumb name="Garments" path={back} />
      <Heading title={title} lead={`${lead}, for ${sheets[sheet]}. Print without margins and at 100 %.`}>
        <button type="button" data-print="" data-with-scripts="" hidden>
          Print
        </button>
      </Heading>
      {note}
    </div>
    <ul class={`labels ${sheet}`} aria-label="Labels">
      {children}
    </ul>
  </>
)

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
    ? await listGarments(db, tenantId, { ...readFilter(filter, c.get('viewer').clock), limit: maxLabelsAtOnce })
    : { garments: await listedGarments(db, tenantId, uuids), nextCursor: null }
  const garments = found.garments.filter(({ status }) => status === 'complete')
  if (garments.length === 0) throw invalidBody(['None of these garments is complete.'])
  const { origin } = new URL(c.req.url)
  return await render(
    c,
    { title: 'Labels', section: garmentsPath },
    <SheetPage
      title="Labels"
      lead={countGarments(garments.length)}
      sheet={sheet}
      back={withQuery(garmentsPath, filter)}
      note={found.nextCursor !== null && <p>These are the first {maxLabelsAtOnce}. Narrow it for the others.</p>}
    >
      {garments.map((garment) => (
        <Label garment={garment} currency={currency} origin={origin} />
      ))}
    </SheetPage>,
  )
})

labelPages.post(blankLabelsPath, formBody, forTenant, async (c) => {
  const { sheet } = parseFields(fields, await readForm(c))
  await limitWrites(c.env, c.get('tenant').id)
  const [first = 1] = await reserveNumbers(c.get('db'), c.get('tenant').id, blankCount)
  return c.redirect(withQuery(blankLabelsPath, { sheet, first: String(first), count: String(blankCount) }), 303)
})

labelPages.get(blankLabelsPath, forTenant, async (c) => {
  const { sheet, first, count } = parseFields(blankFields, c.req.query())
  const numbers = await listReserved(c.get('db'), c.get('tenant').id, first, count)
  const { origin } = new URL(c.req.url)
  return await render(
    c,
    { title: 'Blank labels', section: garmentsPath },
    <SheetPage
      title="Blank labels"
      lead={numbers.length === 1 ? 'One reserved number' : `${numbers.length} reserved numbers`}
      sheet={sheet}
      back={garmentsPath}
      note={<p>Photograph a garment’s label first, then the garment. The label itself is not published.</p>}
    >
      {numbers.map((number) => (
        <BlankLabel number={number} origin={origin} />
      ))}
    </SheetPage>,
  )
})

const numbersField = z.object({
  numbers: z
    .string()
    .regex(/^\d{1,12}(,\d{1,12}){0,99}$/, 'must be up to 100 numbers')
    .transform((text) => text.split(',').map(Number)),
})

labelPages.get(numbersPath, forTenant, async (c) => {
  const [db, { id: tenantId, currency }] = [c.get('db'), c.get('tenant')]
  const { numbers } = parseFields(numbersField, c.req.query())
  const { used, reserved } = await findNumbers(db, tenantId, numbers)
  const garments = await listedGarments(
    db,
    tenantId,
    used.map(({ uuid }) => uuid),
  )
  const stateOf = (number: number) => {
    const garment = garments.find((each) => each.number === number)
    if (garment === undefined) return { status: reserved.includes(number) ? 'reserved' : 'unknown' }
    const picture = shownPicture(parsePictures(garment))
    return {
      status: 'garment',
      uuid: garment.uuid,
      name: shownTexts(garment, currency).name,
      thumbnail: picture === undefined ? '' : thumbnailPath(tenantId, picture),
    }
  }
  return c.json({ numbers: Object.fromEntries(numbers.map((number) => [number, stateOf(number)])) })
})

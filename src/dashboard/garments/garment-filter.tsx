import { type GarmentFilter, type Sort, sorts } from '../../garments/list/list-garments.ts'
import { dayMs, dayOf } from '../../time.ts'
import type { Clock } from '../clock.ts'
import type { FormValues } from '../form.ts'
import { allowedValues } from '../../garments/corrections/allowed-values.ts'
import { wearers } from '../../vision/attributes/wearer.ts'
import { stages } from '../../garments/listing-values.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { colourPrototypes } from '../../vision/colour/name-colour.ts'
import type { countValues } from '../../garments/list/count-values.ts'
import { marks } from '../../garments/list/search-words.ts'
import { withQuery } from '../parts/list-parts.tsx'
import { garmentsPath } from '../paths.ts'
import { Check, Choice, Field, Form } from '../parts/form-fields.tsx'

export const filterFields = [
  'search',
  'brand',
  'item_type',
  'colour',
  'size',
  'gender',
  'min_price',
  'max_price',
  'stage',
  'unpriced',
  'from',
  'to',
  'corrected',
  'doubtful',
  'status',
] as const

export type ListValues = FilterValues & { readonly sort?: Sort }

export type FilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

const statuses = ['waiting', 'complete', 'failed'] as const

export function filterValues(query: FormValues): FilterValues {
  const entries = filterFields.map((name) => [name, query[name]?.trim().slice(0, 512)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function startOf({ startOf: start }: Clock, text = '', daysLater = 0): number | undefined {
  const utc = /^[12]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(utc) ? undefined : start(dayOf(utc + daysLater * dayMs)) || undefined
}

const amount = (text = '') => (/^\d{1,9}([.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : undefined)

/** Converts query parameters to a filter. Ignores values that no form sends, such as an unknown status. */
export function readFilter(values: FilterValues, clock: Clock): Omit<GarmentFilter, 'limit'> {
  return {
    search: values.search,
    brand: values.brand,
    itemType: values.item_type,
    colour: values.colour,
    size: values.size,
    gender: values.gender,
    minPrice: amount(values.min_price),
    maxPrice: amount(values.max_price),
    stage: stages.find((stage) => stage === values.stage),
    unpriced: values.unpriced === 'yes',
    fromMs: startOf(clock, values.from),
    untilMs: startOf(clock, values.to, 1),
    corrected: values.corrected === 'yes',
    doubtful: values.doubtful === 'yes',
    status: statuses.find((status) => status === values.status),
  }
}

/** Returns the possible orders, the default first. Sorting by title or price needs a filter that few garments match. */
export function sortsOf({ search, doubtful, corrected, from, to, status, ...others }: FilterValues): readonly Sort[] {
  if (doubtful !== undefined) return ['doubt']
  if (search !== undefined || Object.keys(others).length > 0) return sorts
  const isUndated = from === undefined && to === undefined
  const hasDoubt = isUndated && corrected === undefined && (status === undefined || status === 'complete')
  return hasDoubt ? ['newest', 'oldest', 'doubt'] : ['newest', 'oldest']
}

export function listValues(query: FormValues): ListValues {
  const values = filterValues(query)
  const sort = sortsOf(values)
    .slice(1)
    .find((each) => each === query['sort'])
  return sort === undefined ? values : { ...values, sort }
}

export const readList = ({ sort, ...values }: ListValues, clock: Clock): Omit<GarmentFilter, 'limit'> => ({
  ...readFilter(values, clock),
  sort,
})

const colours = allowedValues('Colour', '')

export const GarmentFilters = () => (
  <>
    <div class="pair">
      <Field name="brand" label="Brand" hint="Exactly as in the tags." optional />
      <Choice name="item_type" label="Item type" empty="All" values={itemTypes} optional />
      <Choice name="colour" label="Colour" empty="All" values={Array.isArray(colours) ? colours : []} optional />
      <Field name="size" label="Size" optional />
      <Choice name="gender" label="For" empty="All" values={wearers} optional />
      <Choice name="stage" label="Stage" empty="All" values={stages} optional />
      <Field name="min_price" label="Price from" optional />
      <Field name="max_price" label="Price up to" optional />
      <Field name="from" type="date" label="Uploaded from" hint="The first day." optional />
      <Field name="to" type="date" label="Uploaded until" hint="The last day." optional />
    </div>
    <Check name="unpriced" label="Without a price" />
    <Check name="corrected" label="Corrected by a person" />
    <Check name="doubtful" label="With a value in doubt" />
  </>
)

/** Filters with a menu of their own, with the marks of their values in the search index. */
const menus = [
  { field: 'item_type', label: 'Type', mark: marks.itemType, options: itemTypes },
  { field: 'colour', label: 'Colour', mark: marks.colour, options: Object.keys(colourPrototypes) },
  { field: 'gender', label: 'For', mark: marks.gender, options: wearers },
  { field: 'stage', label: 'Stage', mark: marks.stage, options: stages },
] as const

const labels: Readonly<Partial<Record<keyof FilterValues, string>>> = {
  search: 'Search',
  brand: 'Brand',
  item_type: 'Type',
  colour: 'Colour',
  size: 'Size',
  gender: 'For',
  min_price: 'Price from',
  max_price: 'Price up to',
  stage: 'Stage',
  from: 'Uploaded from',
  to: 'Uploaded until',
}

const flags: Readonly<Partial<Record<keyof FilterValues, string>>> = {
  unpriced: 'Without a price',
  corrected: 'Corrected by a person',
  doubtful: 'In doubt',
}

export const ActiveFilters = ({ values }: { values: ListValues }) => {
  const active = filterFields.filter((field) => field !== 'status' && values[field] !== undefined)
  if (active.length === 0) return null
  return (
    <ul class="chips" aria-label="Active filters">
      {active.map((field) => (
        <li>
          <a class="chip active" href={withQuery(garmentsPath, { ...values, [field]: undefined })}>
            <span class="visually-hidden">Remove the filter </span>
            {flags[field] ?? `${labels[field]}: ${values[field]}`}
            <span aria-hidden="true"> ×</span>
          </a>
        </li>
      ))}
      <li>
        <a href={withQuery(garmentsPath, { status: values.status })}>Clear all</a>
      </li>
    </ul>
  )
}

const Swatch = ({ colour }: { colour: string }) => (
  <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <circle cx="8" cy="8" r="7.5" fill={colourPrototypes[colour]?.[0] ?? 'none'} />
  </svg>
)

interface FilterMenusProps {
  readonly values: ListValues
  readonly count: Awaited<ReturnType<typeof countValues>>
}

export const FilterMenus = ({ values, count }: FilterMenusProps) => {
  const { search, status, sort, item_type: itemType, colour, gender, stage, ...others } = values
  return (
    <div class="chips">
      {menus.map(({ field, label, mark, options }) => {
        const counted = options
          .map((value) => ({ value, number: count(value, mark) }))
          .filter(({ value, number }) => number > 0 || value === values[field])
          .toSorted((a, b) => b.number - a.number)
        return counted.length === 0 ? null : (
          <details class="chip" name="list-menu">
            <summary>{label}</summary>
            <ul class="options">
              {counted.map(({ value, number }) => (
                <li>
                  <a
                    href={withQuery(garmentsPath, { ...values, [field]: value })}
                    aria-current={value === values[field] ? 'true' : undefined}
                  >
                    {field === 'colour' && <Swatch colour={value} />}
                    {value} <span class="hint">{number}</span>
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      <details class="chip" name="list-menu">
        <summary>More</summary>
        <Form
          class="panel"
          method="get"
          action={garmentsPath}
          fields={{ search, status, sort, item_type: itemType, colour, gender, stage }}
          form={{ values: others }}
        >
          <div class="pair">
            <Field name="brand" label="Brand" />
            <Field name="size" label="Size" />
            <Field name="min_price" label="Price from" />
            <Field name="max_price" label="Price up to" />
            <Field name="from" type="date" label="Uploaded from" />
            <Field name="to" type="date" label="Uploaded until" />
          </div>
          {Object.entries(flags).map(([name, label]) => (
            <Check name={name} label={label} />
          ))}
          <button class="plain">Apply filters</button>
        </Form>
      </details>
    </div>
  )
}

import { type GarmentFilter, type Sort, sorts } from '../../garments/list/list-garments.ts'
import { dayMs, dayOf } from '../../time.ts'
import type { Clock } from '../clock.ts'
import type { FormValues } from '../form.ts'
import { allowedValues } from '../../garments/corrections/allowed-values.ts'
import { wearers } from '../../vision/attributes/wearer.ts'
import { stages } from '../../garments/own-values.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { Check, Choice, Field, Form } from '../parts/form-fields.tsx'

/** Fields of the filter form, which are also the query parameters of the list. */
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

/** Query parameters of the list: its filter and its order. */
export type ListValues = FilterValues & { readonly sort?: Sort }

export type FilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

const statuses = ['waiting', 'complete', 'failed'] as const

/** Returns the fields that are not empty. */
export function filterValues(query: FormValues): FilterValues {
  const entries = filterFields.map((name) => [name, query[name]?.trim().slice(0, 512)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

/** Returns the start of a day in the tenant's time zone, or of a later day. */
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

/**
 * Returns the possible orders of a list, the default first. Title and price are possible only with a filter, because
 * few enough garments match to be sorted.
 */
export function sortsOf({ search, doubtful, corrected, from, to, status, ...others }: FilterValues): readonly Sort[] {
  if (doubtful !== undefined) return ['doubt']
  if (search !== undefined || Object.keys(others).length > 0) return sorts
  const isUndated = from === undefined && to === undefined
  const hasDoubt = isUndated && corrected === undefined && (status === undefined || status === 'complete')
  return hasDoubt ? ['newest', 'oldest', 'doubt'] : ['newest', 'oldest']
}

/** Reads the filter and the order of a list. Omits the default order. */
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

/** Fields of the filter, for the list and for exports. */
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

/** Narrows the list further than the search in the header; open if a filter is set. */
export const FilterForm = ({ path, values: { sort, ...values } }: { path: string; values: ListValues }) => {
  const { search, status, ...others } = values
  return (
    <details class="filters" open={Object.keys(others).length > 0}>
      <summary>Filters</summary>
      <Form class="card" method="get" action={path} fields={{ search, status, sort }} form={{ values }}>
        <GarmentFilters />
        <button class="plain">Apply filters</button>
      </Form>
    </details>
  )
}

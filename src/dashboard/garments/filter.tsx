import type { GarmentFilter } from '../../garments/list/list-garments.ts'
import { type Sort, sortsOf } from '../../garments/list/plan-scan.ts'
import { dayMs } from '../../time.ts'
import type { FormValues } from '../form.ts'
import { allowedValues } from '../../garments/corrections/allowed-values.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { Check, Choice, Field, type FormState } from '../parts/fields.tsx'

/** The fields of the search form, which are the parameters of the page's address. */
const filterFields = [
  'search',
  'brand',
  'item_type',
  'colour',
  'from',
  'to',
  'corrected',
  'doubtful',
  'status',
] as const

/** Also in the URL, but forms that take a list's filter have no order. */
export type ListValues = FilterValues & { readonly sort?: Sort }

export type FilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

const statuses = ['waiting', 'complete', 'failed'] as const

/** The fields that were filled in, as they are kept in links. */
export function filterValues(query: FormValues): FilterValues {
  const given = filterFields.map((name) => [name, query[name]?.trim().slice(0, 512)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''))
}

const day = (text = '') => (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) || undefined : undefined)

/** Ignores values that no form sends, such as an unknown status. */
export function readFilter(values: FilterValues): Omit<GarmentFilter, 'limit'> {
  const to = day(values.to)
  return {
    search: values.search,
    brand: values.brand,
    itemType: values.item_type,
    colour: values.colour,
    fromMs: day(values.from),
    untilMs: to === undefined ? undefined : to + dayMs,
    corrected: values.corrected === 'yes',
    doubtful: values.doubtful === 'yes',
    status: statuses.find((status) => status === values.status),
  }
}

/** The filter of a list and its order, if that is not the filter's usual one. */
export function listValues(query: FormValues): ListValues {
  const values = filterValues(query)
  const sort = sortsOf(readFilter(values))
    .slice(1)
    .find((each) => each === query['sort'])
  return sort === undefined ? values : { ...values, sort }
}

export const readList = ({ sort, ...values }: ListValues): Omit<GarmentFilter, 'limit'> => ({
  ...readFilter(values),
  sort,
})

const colours = allowedValues('Colour', '')

/** The fields by which garments are found and exported. */
export const GarmentFilters = ({ form }: { form: FormState }) => (
  <>
    <div class="pair">
      <Field form={form} name="brand" label="Brand" hint="Exactly as in the tags." optional />
      <Choice form={form} name="item_type" label="Item type" empty="All" values={itemTypes} optional />
      <Choice
        form={form}
        name="colour"
        label="Colour"
        empty="All"
        values={Array.isArray(colours) ? colours : []}
        optional
      />
      <Field form={form} name="from" type="date" label="Uploaded from" hint="The first day, in UTC." optional />
      <Field form={form} name="to" type="date" label="Uploaded until" hint="The last day, in UTC." optional />
    </div>
    <Check form={form} name="corrected" label="Corrected by a person" />
    <Check form={form} name="doubtful" label="With a value in doubt" />
  </>
)

/** Searches garments. The form with all filters is open if one of them is set. */
export const SearchForm = ({ path, values: { sort, ...values } }: { path: string; values: ListValues }) => {
  const form = { values }
  const { search: _, status, ...others } = values
  return (
    <form class="garment-search" role="search" action={path}>
      {status !== undefined && <input type="hidden" name="status" value={status} />}
      {sort !== undefined && <input type="hidden" name="sort" value={sort} />}
      <div class="search">
        <label class="visually-hidden" for="search">
          Search by uuid, brand, title and your own values
        </label>
        <input
          id="search"
          name="search"
          type="search"
          placeholder="uuid, brand, SKU …"
          value={values.search ?? ''}
          autocomplete="off"
          maxlength={128}
          aria-keyshortcuts="/"
        />
        <button class="plain">Search</button>
      </div>
      <details open={Object.keys(others).length > 0}>
        <summary>More filters</summary>
        <GarmentFilters form={form} />
      </details>
    </form>
  )
}

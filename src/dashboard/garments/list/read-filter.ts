import type { GarmentFilter } from '../../../garment/list/list-garments.ts'
import { sortsOf, type Sort } from '../../../garment/list/sorts.ts'
import { dayMs } from '../../../time.ts'
import type { FormValues } from '../../form.ts'

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

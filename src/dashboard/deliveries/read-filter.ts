import { deliveryStatuses } from '../../db/schema.ts'
import type { DeliveryFilter } from '../../webhook/delivery/list-deliveries.ts'
import type { FormValues } from '../form.ts'

/** The fields of the filter, which are the parameters of the page's address. */
const filterFields = ['status', 'endpoint', 'from', 'to'] as const

export type DeliveryFilterValues = Readonly<Partial<Record<(typeof filterFields)[number], string>>>

/** The fields that were filled in, as they are kept in links. */
export function deliveryFilterValues(query: FormValues): DeliveryFilterValues {
  const given = filterFields.map((name) => [name, query[name]?.trim().slice(0, 64)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''))
}

/** A time in UTC as browsers send it: `2026-11-21T12:00`. */
const time = (text = '') =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) || undefined : undefined

/** Ignores values that no form sends, such as an unknown status. */
export const readDeliveryFilter = ({
  status,
  endpoint,
  from,
  to,
}: DeliveryFilterValues): Omit<DeliveryFilter, 'limit'> => ({
  status: deliveryStatuses.find((each) => each === status),
  endpoint,
  fromMs: time(from),
  untilMs: time(to),
})

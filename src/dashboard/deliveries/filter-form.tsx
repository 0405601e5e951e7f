import type { FoundDeliveries } from '../../overview/find-deliveries.ts'
import { Field } from '../parts/fields.tsx'
import { endpointName } from '../webhook/endpoint-name.ts'
import { deliveriesPath } from '../paths.ts'
import type { DeliveryFilterValues } from './read-filter.ts'

interface FilterFormProps {
  readonly values: DeliveryFilterValues
  readonly endpoints: FoundDeliveries['endpoints']
}

/** Filters by endpoint and time. Open if one of these filters is set. */
export const FilterForm = ({ values, endpoints }: FilterFormProps) => {
  const { status, endpoint, ...times } = values
  const isKnown = endpoints.some((row) => row.endpoint === endpoint)
  return (
    <form class="garment-search" role="search" action={deliveriesPath}>
      {status !== undefined && <input type="hidden" name="status" value={status} />}
      <details open={endpoint !== undefined || Object.keys(times).length > 0}>
        <summary>More filters</summary>
        <div class="field">
          <label for="field-endpoint">Endpoint</label>
          <select id="field-endpoint" name="endpoint">
            <option value="">All</option>
            {endpoints.map((row) => (
              <option value={row.endpoint} selected={row.endpoint === endpoint}>
                {endpointName(row)}
              </option>
            ))}
            {endpoint !== undefined && !isKnown && (
              <option value={endpoint} selected>
                Deleted ({endpoint})
              </option>
            )}
          </select>
        </div>
        <div class="pair">
          <Field
            form={{ values: times }}
            name="from"
            type="datetime-local"
            label="Created from"
            hint="In UTC."
            optional
          />
          <Field
            form={{ values: times }}
            name="to"
            type="datetime-local"
            label="Created before"
            hint="In UTC."
            optional
          />
        </div>
        <button class="plain">Filter</button>
      </details>
    </form>
  )
}

import { GarmentFilters } from '../../parts/garment-filters.tsx'
import type { ListValues } from './read-filter.ts'

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

import { sortOf, sortsOf, type Sort } from '../../../garment/list/sorts.ts'
import { withQuery } from '../../parts/list.tsx'
import { readList, type ListValues } from './read-filter.ts'

/** A list of one item type can also be sorted by brand. */
const sortNames = (list: ListValues): Readonly<Record<Sort, string>> => {
  const type = list.item_type === undefined ? 'Item type' : 'Brand'
  return {
    newest: 'Newest first',
    oldest: 'Oldest first',
    type: `${type}, A to Z`,
    type_down: `${type}, Z to A`,
    doubt: 'Most doubtful first',
  }
}

/** Links to the sort orders of the list, or the name of its only one. */
export const Order = ({ path, list }: { path: string; list: ListValues }) => {
  const filter = readList(list)
  const [current, names, sorts] = [sortOf(filter), sortNames(list), sortsOf(filter)]
  if (sorts.length < 2) return current === undefined ? null : <p class="hint">{names[current]}</p>
  return (
    <nav class="filter" aria-label="Order">
      {sorts.map((sort, i) => (
        <a
          href={withQuery(path, { ...list, sort: i === 0 ? undefined : sort })}
          aria-current={sort === current ? 'page' : undefined}
        >
          {names[sort]}
        </a>
      ))}
    </nav>
  )
}

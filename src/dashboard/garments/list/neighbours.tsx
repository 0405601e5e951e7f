import { withQuery } from '../../parts/list.tsx'
import { garmentPath, garmentsPath } from '../../paths.ts'
import type { ListValues } from './read-filter.ts'

interface NeighboursProps {
  readonly list: ListValues
  readonly previous: string | null
  readonly next: string | null
}

/** Leads back to the list that a garment is looked at from, and to the garments beside it there. */
export const Neighbours = ({ list, previous, next }: NeighboursProps) => (
  <p class="crumb">
    <a href={withQuery(garmentsPath, list)}>Garments</a>
    {previous !== null && (
      <>
        {' · '}
        <a href={garmentPath(previous, list)} rel="prev">
          Previous
        </a>
      </>
    )}
    {next !== null && (
      <>
        {' · '}
        <a href={garmentPath(next, list)} rel="next">
          Next
        </a>
      </>
    )}
  </p>
)

import { withQuery } from '../../parts/list.tsx'
import { Breadcrumb } from '../../parts/text.tsx'
import { garmentPath, garmentsPath } from '../../paths.ts'
import type { ListValues } from './read-filter.ts'

interface NeighboursProps {
  readonly list: ListValues
  readonly previous: string | null
  readonly next: string | null
}

/** Links back to the list that a garment was opened from, and to its neighbours there. */
export function Neighbours({ list, previous, next }: NeighboursProps) {
  const links = [
    { uuid: previous, rel: 'prev', text: 'Previous' },
    { uuid: next, rel: 'next', text: 'Next' },
  ]
  return (
    <Breadcrumb name="Garments" path={withQuery(garmentsPath, list)}>
      {links.map(
        ({ uuid, rel, text }) =>
          uuid !== null && (
            <>
              {' · '}
              <a href={garmentPath(uuid, list)} rel={rel}>
                {text}
              </a>
            </>
          ),
      )}
    </Breadcrumb>
  )
}

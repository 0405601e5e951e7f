import { withQuery } from '../../parts/list.tsx'
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
    { uuid: previous, rel: 'prev', text: 'Previous', key: 'k' },
    { uuid: next, rel: 'next', text: 'Next', key: 'j' },
  ]
  return (
    <p class="crumb">
      <a href={withQuery(garmentsPath, list)} aria-keyshortcuts="u">
        Garments
      </a>
      {links.map(
        ({ uuid, rel, text, key }) =>
          uuid !== null && (
            <>
              {' · '}
              <a href={garmentPath(uuid, list)} rel={rel} aria-keyshortcuts={key}>
                {text}
              </a>
            </>
          ),
      )}
    </p>
  )
}

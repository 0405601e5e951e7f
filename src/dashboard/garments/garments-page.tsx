import type { GarmentFilter, ListedGarment } from '../../garment/list-garments.ts'
import type { Clock } from '../clock.ts'
import { Filter, Pager } from '../parts/list.tsx'
import { Empty, Heading } from '../parts/text.tsx'
import { GarmentTable } from './garment-table.tsx'
import { isActive } from './status-badge.tsx'

const path = '/dashboard/garments'

const options = [
  [undefined, 'All'],
  ['complete', 'Complete'],
  ['processing', 'Processing'],
  ['queuing', 'Queuing'],
  ['failed', 'Failed'],
] as const

interface GarmentsPageProps {
  readonly garments: readonly ListedGarment[]
  readonly tenantId: string
  readonly clock: Clock
  readonly filter: GarmentFilter
  readonly nextCursor: string | null
}

export const GarmentsPage = ({ garments, tenantId, clock, filter, nextCursor }: GarmentsPageProps) => (
  <>
    <Heading title="Garments">
      <a class="button" href="/dashboard/upload">
        Upload a garment
      </a>
      <a class="button plain" href="/dashboard/export">
        Export
      </a>
    </Heading>
    <div class="bar">
      <Filter path={path} label="Status" options={options} current={filter.search === undefined ? filter.status : ''} />
      <form class="search" role="search" action={path}>
        <label class="visually-hidden" for="search">
          Search by uuid
        </label>
        <input
          id="search"
          name="search"
          type="search"
          placeholder="uuid or its beginning"
          value={filter.search ?? ''}
          autocomplete="off"
          maxlength={128}
        />
        <button class="plain">Search</button>
      </form>
    </div>
    <section
      class="card flush"
      id="live"
      aria-label="Garments"
      {...(garments.some(({ status }) => isActive(status)) ? { 'data-live': '' } : {})}
    >
      {garments.length === 0 ? (
        <NoGarment filter={filter} />
      ) : (
        <GarmentTable garments={garments} tenantId={tenantId} clock={clock} />
      )}
    </section>
    <Pager
      path={path}
      query={{ status: filter.status, search: filter.search }}
      isFirst={filter.cursor === undefined}
      next={nextCursor}
      nextName={filter.search === undefined ? 'Older garments' : 'More garments'}
    />
  </>
)

const NoGarment = ({ filter: { search, status, cursor } }: { filter: GarmentFilter }) => {
  if (search !== undefined)
    return (
      <Empty title="No garments found">
        <p>No uuid starts with “{search}”. The search is case-sensitive.</p>
      </Empty>
    )
  if (cursor !== undefined || status !== undefined)
    return (
      <Empty title={status === undefined ? 'No more garments' : `No garments are ${status}`}>
        <p>
          <a href={path}>Show all garments</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="No garments yet">
      <p>Garments appear here as soon as they are uploaded.</p>
      <p>
        <a class="button" href="/dashboard/upload">
          Upload a garment
        </a>
      </p>
    </Empty>
  )
}

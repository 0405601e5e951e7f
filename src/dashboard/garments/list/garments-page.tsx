import type { ListedGarment } from '../../../garment/list/list-garments.ts'
import type { Clock } from '../../clock.ts'
import { DeleteSelected, EditForm, editFormId } from '../../edit/edit-form.tsx'
import { Allowed } from '../../parts/allowed.tsx'
import { Count } from '../../parts/count.tsx'
import { Filter, Pager, SelectAll, withQuery } from '../../parts/list.tsx'
import { Shortcuts } from '../../parts/shortcuts.tsx'
import { Empty, Heading, Notice } from '../../parts/text.tsx'
import { exportPath, garmentCountPath, garmentsPath as path } from '../../paths.ts'
import { GarmentTable } from './garment-table.tsx'
import { Order } from './order.tsx'
import type { FilterValues, ListValues } from './read-filter.ts'
import { SearchForm } from './search-form.tsx'
import { isActive } from '../status-badge.tsx'

const options = [
  [undefined, 'All'],
  ['complete', 'Complete'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
] as const

interface GarmentsPageProps {
  readonly garments: readonly ListedGarment[]
  readonly tenantId: string
  readonly clock: Clock
  readonly list: ListValues
  /** The total as text, where it was asked for. */
  readonly total: string | undefined
  readonly isFirst: boolean
  readonly nextCursor: string | null
  /** Of a search: the word at which the next page continues. */
  readonly nextWord: string | undefined
  /** Whether the word index is still being built. */
  readonly isPreparing: boolean
  /** What was just done. */
  readonly done: string | undefined
}

export const GarmentsPage = (props: GarmentsPageProps) => {
  const { garments, tenantId, clock, list, isFirst, nextCursor } = props
  const { sort, ...values } = list
  const { status, ...others } = list
  return (
    <>
      <Heading title="Garments">
        <Allowed to="GET /dashboard/upload">
          <a class="button" href="/dashboard/upload">
            Upload a garment
          </a>
          <a class="button plain" href={withQuery(exportPath, values)}>
            Export
          </a>
        </Allowed>
      </Heading>
      {props.done !== undefined && <Notice tone="good" title={props.done} />}
      <div class="bar">
        <Filter path={path} label="Status" options={options} current={status} query={others} />
        <SearchForm path={path} values={list} />
      </div>
      <div class="bar">
        {garments.length > 0 && isFirst && !props.isPreparing && (
          <p class="hint">
            {props.total ?? (
              <Count
                label="Count these garments"
                page={withQuery(path, { ...list, count: 'yes' })}
                source={withQuery(garmentCountPath, values)}
              />
            )}
          </p>
        )}
        {garments.length > 0 && <Order path={path} list={list} />}
      </div>
      <section
        class="card flush"
        id="live"
        aria-label="Garments"
        {...(props.isPreparing || garments.some(({ status }) => isActive(status)) ? { 'data-live': '' } : {})}
      >
        {props.isPreparing && (
          <Notice tone="busy" title="The search in brands and your own values is being prepared.">
            <p data-without-scripts>
              <a href={withQuery(path, values)}>Search again</a>
            </p>
          </Notice>
        )}
        {garments.length === 0 ? (
          <NoGarment values={values} isLast={nextCursor === null} isFirst={isFirst} />
        ) : (
          <GarmentTable garments={garments} tenantId={tenantId} clock={clock} list={list} />
        )}
      </section>
      {garments.length > 0 && (
        <Allowed to="POST /dashboard/edit">
          <SelectAll form={editFormId} />
          <EditForm form={{ values: {} }} filter={values} />
          <DeleteSelected filter={list} />
        </Allowed>
      )}
      <Pager
        path={path}
        query={list}
        nextQuery={{ ...list, word: props.nextWord }}
        isFirst={isFirst}
        next={nextCursor}
        nextName={isByTime(values) && sort === undefined ? 'Older garments' : 'More garments'}
      />
      <Shortcuts of={['list']} />
    </>
  )
}

function emptyTitle({ status, ...others }: FilterValues, isFirst: boolean): string {
  if (!isFirst) return 'No more garments'
  return status !== undefined && Object.keys(others).length === 0 ? `No garments are ${status}` : 'No garments found'
}

/** Other filters have an order of their own. */
const isByTime = (values: FilterValues) => Object.keys(values).every((name) => ['status', 'from', 'to'].includes(name))

const NoGarment = ({ values, isFirst, isLast }: { values: FilterValues; isFirst: boolean; isLast: boolean }) => {
  const { search, ...others } = values
  const hasOthers = Object.keys(others).length > 0
  if (!isLast)
    return (
      <Empty title="No garments on this page">
        <p>Of the garments looked at so far, none has everything that you search for. The next page goes on.</p>
      </Empty>
    )
  if (search !== undefined && !hasOthers)
    return (
      <Empty title="No garments found">
        <p>No uuid starts with “{search}”, and no brand or value of yours has these words.</p>
      </Empty>
    )
  if (!isFirst || hasOthers)
    return (
      <Empty title={emptyTitle(values, isFirst)}>
        <p>
          <a href={path}>Show all garments</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="No garments yet">
      <p>Garments appear here as soon as they are uploaded.</p>
      <Allowed to="GET /dashboard/upload">
        <p>
          <a class="button" href="/dashboard/upload">
            Upload a garment
          </a>
        </p>
      </Allowed>
    </Empty>
  )
}

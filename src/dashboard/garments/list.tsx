import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { type Sort, sortOf, sortsOf } from '../../garments/list/plan-scan.ts'
import { Count, Filter, Pager, SelectAll, withQuery } from '../parts/list.tsx'
import {
  filterValues,
  type FilterValues,
  listValues,
  type ListValues,
  readFilter,
  readList,
  SearchForm,
} from './filter.tsx'
import { type GarmentCount, type ListedGarment, listGarments, maxCounted } from '../../garments/list/list-garments.ts'
import type { Clock } from '../clock.ts'
import { DeleteSelected, EditForm, editFormId } from './edit-form.tsx'
import { Allowed } from '../parts/actions.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Empty, Heading, isActive, Notice } from '../parts/text.tsx'
import { exportPath, garmentCountPath, garmentsPath as path, garmentsPath } from '../paths.ts'
import { GarmentTable } from './garment-table.tsx'
import { countGarments } from '../../platform/format-count.ts'
import { sleep } from '../../time.ts'
import { catchUpForSearch, freshMs } from '../../garments/list/index-new-garments.ts'
import { countFound, type SearchFilter, searchGarments } from '../../garments/list/search-garments.ts'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'

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
const Order = ({ path, list }: { path: string; list: ListValues }) => {
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

const GarmentsPage = (props: GarmentsPageProps) => {
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

/** `1 garment`, `about 3,412 garments`, `at least 40 garments`, `10,000 garments and more`. */
export function totalText({ count, isAll }: GarmentCount, isAbout: boolean, max: number): string {
  const text = countGarments(count)
  if (isAll) return isAbout ? `about ${text}` : text
  return count >= max ? `${text} and more` : `at least ${text}`
}

const pageSize = 24
const afterPageMs = 50

const doneTexts = new Map([
  ['deleted', 'The garment was deleted.'],
  ['all_deleted', 'The selected garments were deleted.'],
  ['edited', 'The selected garments were changed.'],
])

export const garmentListPages = new Hono<DashboardEnv>()

garmentListPages.get(garmentsPath, forGarments, async (c) => {
  const query = c.req.query()
  const list = listValues(query)
  const filter = { ...readList(list), cursor: query['cursor'], limit: pageSize }
  const tenantId = c.get('tenant').id
  const { search } = filter
  const found =
    search === undefined
      ? { ...(await listGarments(c.get('db'), tenantId, filter)), nextWord: undefined }
      : await searchPage(c, { ...filter, search })
  const { clock } = c.get('viewer')
  const isFirst = filter.cursor === undefined
  const done = doneTexts.get(query['done'] ?? '')
  const total = query['count'] === 'yes' ? await countTotal(c) : undefined
  const page = <GarmentsPage {...{ isPreparing: false, ...found, tenantId, clock, list, total, isFirst, done }} />
  return await render(c, { title: 'Garments', section: garmentsPath }, page)
})

/** A route of its own, so that the page does not wait for it. */
garmentListPages.get(garmentCountPath, forGarments, async (c) => c.text(await countTotal(c)))

async function countTotal(c: Context<DashboardEnv>): Promise<string> {
  const filter = readFilter(filterValues(c.req.query()))
  return totalText(await countFound(c.get('db'), c.get('tenant').id, filter), filter.search !== undefined, maxCounted)
}

/** A page of a search. The index is built and updated after the page was sent. */
async function searchPage(c: Context<DashboardEnv>, filter: Omit<SearchFilter, 'word'>) {
  const [db, tenantId, nowMs] = [c.get('db'), c.get('tenant').id, Date.now()]
  const word = c.req.query('word')?.slice(0, 64)
  const { caughtUpAt, ...found } = await searchGarments(db, tenantId, { ...filter, word })
  // The page comes first, because the database runs one statement at a time.
  if (caughtUpAt === null || caughtUpAt < nowMs - freshMs)
    waitUntil(sleep(afterPageMs).then(async () => await catchUpForSearch(db, tenantId, nowMs)))
  return { ...found, isPreparing: caughtUpAt === null }
}

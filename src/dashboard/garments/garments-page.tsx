import { type Context, Hono } from 'hono'
import {
  countGarments as countGarmentsRoutes,
  type GarmentCount,
  listGarments,
  maxCounted,
  type Sort,
} from '../../garments/list/list-garments.ts'
import { Count, Filter, oneOf, Pager, SelectAll, withQuery } from '../parts/list-parts.tsx'
import {
  filterValues,
  type FilterValues,
  listValues,
  type ListValues,
  readFilter,
  readList,
  ActiveFilters,
  FilterMenus,
  sortsOf,
} from './garment-filter.tsx'
import { DeleteSelected, EditForm, editFormId, MergeSelected } from './edit-page.tsx'
import { Allowed } from '../parts/actions.tsx'
import { Toast } from '../parts/done-toast.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { ButtonLink, PlainLink, Empty, Heading, isActive, Notice } from '../parts/elements.tsx'
import {
  importUndoPath,
  binPath,
  exportPath,
  garmentCountPath,
  garmentFiltersPath,
  garmentPath,
  garmentsPath as path,
  importsPath,
  selectedPicturesPath,
} from '../paths.ts'
import { SavedFilters } from './saved-filters-page.tsx'
import { PrintLabels } from './labels-page.tsx'
import { GarmentCards, GarmentTable } from './garment-table.tsx'
import { readNumber } from '../../garments/list/garment-number.ts'
import { countGarments } from '../../platform/format-count.ts'
import { limitSearch } from '../../garments/list/limit-searches.ts'
import { isSearch } from '../../garments/list/scans.ts'
import { render } from '../parts/layout.tsx'
import { countValues } from '../../garments/list/count-values.ts'
import { type DashboardEnv, forTenant, recall, remember } from '../viewer.ts'

const sortNames: Readonly<Record<Sort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  doubt: 'Most doubtful first',
  title: 'Title',
  price: 'Price',
}

const Order = ({ list: { sort, ...values } }: { list: ListValues }) => {
  const [usual = 'newest', ...others] = sortsOf(values)
  if (others.length === 0) return <p class="hint">{sortNames[usual]}</p>
  return (
    <details class="chip" name="list-menu">
      <summary>{sortNames[sort ?? usual]}</summary>
      <Filter
        label="Order"
        options={[usual, ...others].map((each) => [each, sortNames[each]])}
        current={sort ?? usual}
        href={(each) => withQuery(path, { ...values, sort: each === usual ? undefined : each })}
      />
    </details>
  )
}

const views = ['grid', 'rows'] as const

const viewNames = { grid: 'Grid', rows: 'Rows' }

const options = [
  [undefined, 'All'],
  ['complete', 'Complete'],
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
] as const

function emptyTitle({ status, ...others }: FilterValues, isFirst: boolean): string {
  if (!isFirst) return 'No more garments'
  return status !== undefined && Object.keys(others).length === 0 ? `No garments are ${status}` : 'No garments found'
}

/** A search stops after a number of garments, so its page may be empty although there are more. */
function nextName({ sort }: ListValues, shown: number): string {
  if (shown === 0) return 'Look further'
  return sort === undefined ? 'Older garments' : 'More garments'
}

const NoGarment = ({ values, isFirst, isLast }: { values: FilterValues; isFirst: boolean; isLast: boolean }) => {
  const { search, ...others } = values
  const hasOthers = Object.keys(others).length > 0
  if (!isLast)
    return (
      <Empty title="No garments on this page">
        <p>None of the garments searched so far matches.</p>
      </Empty>
    )
  if (search !== undefined && !hasOthers)
    return (
      <Empty title="No garments found">
        <p>No garment contains all of these words: “{search}”.</p>
        <PlainLink to={path}>Show all garments</PlainLink>
      </Empty>
    )
  if (!isFirst || hasOthers)
    return (
      <Empty title={emptyTitle(values, isFirst)}>
        <p>Change or remove a filter above.</p>
        <PlainLink to={path}>Show all garments</PlainLink>
      </Empty>
    )
  return (
    <Empty title="No garments yet">
      <p>Garments appear here as soon as they are uploaded.</p>
      <Allowed to="GET /dashboard/upload">
        <p>
          <ButtonLink to={importsPath}>Add garments</ButtonLink>
        </p>
      </Allowed>
    </Empty>
  )
}

export function totalText({ count, isAll }: GarmentCount, max: number): string {
  const text = countGarments(count)
  if (isAll) return text
  return count >= max ? `${text} and more` : `at least ${text}`
}

const pageSize = 24

const idPattern = /^[0-9a-f-]{36}$/

export const garmentListPages = new Hono<DashboardEnv>()

garmentListPages.get(path, forTenant, async (c) => {
  const query = c.req.query()
  const list = listValues(query)
  const filter = { ...readList(list, c.get('viewer').clock), cursor: query['cursor'], limit: pageSize }
  const { id: tenantId, currency } = c.get('tenant')
  const listPage = async () => await listGarments(c.get('db'), tenantId, filter)
  const { garments, nextCursor, instead } = isSearch(filter)
    ? await limitSearch(c.env, tenantId, listPage)
    : await listPage()
  // So that counts, exports and edits of the list are of the same search.
  if (instead !== null) return c.redirect(withQuery(path, { ...list, search: instead, searched: list.search }), 303)
  const [only, ...more] = garments
  if (only !== undefined && more.length === 0 && readNumber(list.search ?? '') === only.number)
    return c.redirect(garmentPath(only.uuid), 303)
  const isFirst = filter.cursor === undefined
  const isEdited = query['done'] === 'edited'
  const editedBy = idPattern.exec(query['import'] ?? '')?.[0]
  const total = query['count'] === 'yes' ? await countTotal(c) : undefined
  const { sort: _, ...values } = list
  const { status, ...others } = list
  const chosen = oneOf(views, query, 'view')
  if (chosen !== undefined) remember(c, 'view', chosen)
  const view = chosen ?? recall(c, 'view')
  const shown = { garments, tenantId, currency, list }
  // Without scripts, the link to the filters opens the page with them.
  const count = query['filters'] === undefined ? null : await countValues(c.get('db'), tenantId)
  return await render(
    c,
    { title: 'Garments', section: path },
    <>
      <Heading title="Garments">
        <Allowed to="GET /dashboard/upload">
          <span class="phone-has-it">
            <ButtonLink to={importsPath}>Add garments</ButtonLink>
          </span>
          <PlainLink to={withQuery(exportPath, values)}>Export</PlainLink>
          <PlainLink to={binPath}>Bin</PlainLink>
        </Allowed>
      </Heading>
      <div class="bar">
        <Filter
          label="Status"
          options={options}
          current={status}
          href={(value) => withQuery(path, { ...others, status: value })}
        />
        <div class="actions">
          {garments.length > 0 && <Order list={list} />}
          <Filter
            label="View"
            options={views.map((each) => [each, viewNames[each]])}
            current={view}
            href={(each) => withQuery(path, { ...list, view: each })}
          />
        </div>
      </div>
      <div class="chips">
        <ActiveFilters values={list} />
        <SavedFilters values={list} />
        {count === null ? (
          <p>
            <a
              class="chip"
              href={withQuery(path, { ...list, filters: 'yes' })}
              data-part={withQuery(garmentFiltersPath, list)}
            >
              Filters
            </a>
          </p>
        ) : (
          <FilterMenus values={list} count={count} />
        )}
      </div>
      {query['searched'] !== undefined && (
        <Notice tone="calm" title={`No garment matches “${query['searched']}”.`}>
          <p>These match “{list.search}”.</p>
        </Notice>
      )}
      {garments.length > 0 && (
        <div class="bulk">
          <p class="hint">
            {isFirst &&
              (total ?? (
                <Count
                  label="Count these garments"
                  page={withQuery(path, { ...list, count: 'yes' })}
                  source={withQuery(garmentCountPath, values)}
                />
              ))}
          </p>
          <Allowed to="POST /dashboard/edit">
            <SelectAll form={editFormId} />
            <button
              class="plain"
              form={editFormId}
              formaction={selectedPicturesPath}
              name="format"
              value="pictures"
              data-download=""
            >
              Download pictures
            </button>
            <EditForm filter={values} />
            <PrintLabels filter={values} />
            <MergeSelected />
            <DeleteSelected filter={list} />
          </Allowed>
        </div>
      )}
      <section
        class={view === 'rows' || garments.length === 0 ? 'card flush' : undefined}
        id="live"
        aria-label="Garments"
        data-live={garments.some(({ status }) => isActive(status)) ? '' : undefined}
      >
        {garments.length === 0 && <NoGarment values={values} isLast={nextCursor === null} isFirst={isFirst} />}
        {garments.length > 0 &&
          (view === 'rows' ? <GarmentTable {...shown} /> : <GarmentCards {...shown} isSelectable />)}
      </section>
      <Pager path={path} query={list} isFirst={isFirst} next={nextCursor} nextName={nextName(list, garments.length)} />
      {isEdited && (
        <Toast
          text="The selected garments were changed."
          undo={editedBy === undefined ? undefined : { action: importUndoPath(editedBy) }}
        />
      )}
      <Shortcuts of={['list']} />
      <script src="/assets/scripts/cells.js" type="module"></script>
    </>,
  )
})

/** A separate route, because counting values reads many rows. */
garmentListPages.get(garmentFiltersPath, forTenant, async (c) => {
  const count = await countValues(c.get('db'), c.get('tenant').id)
  return c.html(<FilterMenus values={listValues(c.req.query())} count={count} />)
})

/** A separate route, so that the page does not wait for the count. */
garmentListPages.get(garmentCountPath, forTenant, async (c) => c.text(await countTotal(c)))

async function countTotal(c: Context<DashboardEnv>): Promise<string> {
  const filter = readFilter(filterValues(c.req.query()), c.get('viewer').clock)
  const { id: tenantId } = c.get('tenant')
  const count = async () => await countGarmentsRoutes(c.get('db'), tenantId, filter)
  return totalText(await limitSearch(c.env, tenantId, count), maxCounted)
}

import { waitUntil } from 'cloudflare:workers'
import { Hono, type Context } from 'hono'
import { maxCounted } from '../../../garment/list/count-garments.ts'
import { listGarments } from '../../../garment/list/list-garments.ts'
import { sleep } from '../../../time.ts'
import { catchUpForSearch, freshMs } from '../../../search/catch-up.ts'
import { countFound } from '../../../search/count-found.ts'
import { searchGarments, type SearchFilter } from '../../../search/search-garments.ts'
import { render } from '../../parts/render.tsx'
import { garmentCountPath, garmentsPath } from '../../paths.ts'
import type { DashboardEnv } from '../../viewer.ts'
import { forGarments } from '../../with-tenant.tsx'
import { GarmentsPage } from './garments-page.tsx'
import { filterValues, listValues, readFilter, readList } from './read-filter.ts'
import { totalText } from './total-text.ts'

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

import { waitUntil } from 'cloudflare:workers'
import { Hono, type Context } from 'hono'
import { deleteGarment } from '../../deletion/delete-garment.ts'
import { acceptUpload } from '../../garment/accept-upload.ts'
import { attributeSchema, uploadSchema } from '../../garment/fields.ts'
import { parseExportDefaults } from '../../export/shop/defaults.ts'
import { toListing } from '../../export/shop/product.ts'
import { readLanguage } from '../../listing/languages.ts'
import { findGarmentWithDeliveries } from '../../overview/find-garment-with-deliveries.ts'
import { listGarments } from '../../garment/list/list-garments.ts'
import { toGarmentResponse } from '../../garment/to-garment-response.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { sleep } from '../../queue/retry-fault.ts'
import { catchUp, freshMs } from '../../search/catch-up.ts'
import { searchGarments, type SearchFilter } from '../../search/search-garments.ts'
import { settingsOf } from '../../settings.ts'
import { studioNote } from '../../studio/find-studio.ts'
import { listStudios } from '../../studio/list-studios.ts'
import { garmentPageNotFound } from '../errors/page-errors.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { GarmentPage } from './garment-page.tsx'
import { garmentPath } from '../paths.ts'
import { GarmentsPage } from './garments-page.tsx'
import { filterValues, readFilter } from './read-filter.ts'
import { readUpload, uploadFields } from './read-upload.ts'
import { UploadPage } from './upload-page.tsx'

const section = '/dashboard/garments'
const needsTenant = withTenant(section, 'Garments', 'Create a tenant to upload garments.')
const pageSize = 24
const afterPageMs = 50

const doneTexts = new Map([
  ['deleted', 'The garment was deleted.'],
  ['edited', 'The selected garments were changed.'],
])

export const garmentPages = new Hono<DashboardEnv>()

garmentPages.get(section, needsTenant, async (c) => {
  const query = c.req.query()
  const values = filterValues(query)
  const filter = { ...readFilter(values), cursor: query['cursor'], limit: pageSize }
  const tenantId = c.get('tenant').id
  const { search } = filter
  const found =
    search === undefined
      ? { ...(await listGarments(c.get('db'), tenantId, filter)), nextWord: undefined }
      : await searchPage(c, { ...filter, search })
  const { clock } = c.get('viewer')
  const isFirst = filter.cursor === undefined
  const done = doneTexts.get(query['done'] ?? '')
  const page = <GarmentsPage {...{ isPreparing: false, ...found, tenantId, clock, values, isFirst, done }} />
  return await render(c, { title: 'Garments', section }, page)
})

/** A page of a search. Its index is made, and caught up with, after the page. */
async function searchPage(c: Context<DashboardEnv>, filter: Omit<SearchFilter, 'word'>) {
  const [db, tenantId, nowMs] = [c.get('db'), c.get('tenant').id, Date.now()]
  const word = c.req.query('word')?.slice(0, 64)
  const { caughtUpAt, ...found } = await searchGarments(db, tenantId, { ...filter, word })
  // The page goes first: the database does one thing at a time.
  if (caughtUpAt === null || caughtUpAt < nowMs - freshMs)
    waitUntil(sleep(afterPageMs).then(async () => await catchUp(db, tenantId, nowMs)))
  return { ...found, isPreparing: caughtUpAt === null }
}

garmentPages.get('/dashboard/garment', needsTenant, async (c) => {
  const { uuid = '', language } = c.req.query()
  const found = await findGarmentWithDeliveries(c.get('db'), c.get('tenant').id, uuid)
  if (found === null) throw garmentPageNotFound()
  c.set('uuid', uuid)
  const { clock, tenant } = c.get('viewer')
  const result = toGarmentResponse(found.garment, settingsOf(c.env).PUBLIC_URL)
  const { origin } = new URL(c.req.url)
  const attribute = attributeSchema.parse(JSON.parse(found.garment.attribute))
  const chosen = parseExportDefaults(found.storedDefaults, c.get('tenant').currency)
  const defaults = { ...chosen, language: language === undefined ? chosen.language : readLanguage(language) }
  const page = (
    <GarmentPage
      {...found}
      result={result}
      listing={result.complete ? toListing({ ...result, attribute }, defaults) : null}
      language={defaults.language}
      studioNote={studioNote(found.studios, attribute)}
      clock={clock}
      origin={origin}
      domain={tenant?.domain ?? ''}
      now={Date.now()}
    />
  )
  return await render(c, { title: `Garment ${uuid}`, section }, page)
})

garmentPages.post('/dashboard/garment/delete', formBody, needsTenant, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), pictures, taggingQueue, webhookQueue }
  await deleteGarment(deps, c.get('tenant').id, uuid, Date.now(), c.get('viewer').actor)
  return c.redirect(`${section}?done=deleted`, 303)
})

garmentPages.get('/dashboard/upload', needsTenant, async (c) => {
  const studios = await listStudios(c.get('db'), c.get('tenant').id)
  const page = <UploadPage form={{ values: { uuid: crypto.randomUUID() } }} studios={studios} />
  return await render(c, { title: 'Upload a garment', section }, page)
})

garmentPages.post('/dashboard/upload', formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const tenantId = c.get('tenant').id
  const { upload, problems: unread } = readUpload(values)
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    if (unread.length > 0) throw invalidBody(unread)
    await acceptUpload(c.env, tenantId, parseFields(uploadSchema, upload), new URL(c.req.url).origin, Date.now())
  })
  if (result.ok) {
    c.set('uuid', upload.uuid)
    return c.redirect(garmentPath(upload.uuid), 303)
  }
  const studios = await listStudios(c.get('db'), tenantId)
  const problems = problemsOf(result.failure, uploadFields)
  const { status } = result.failure
  return await render(
    c,
    { title: 'Upload a garment', section, status },
    <UploadPage form={{ values, problems }} studios={studios} />,
  )
})

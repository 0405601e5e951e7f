import { Hono } from 'hono'
import { deleteGarment } from '../../deletion/delete-garment.ts'
import { acceptUpload } from '../../garment/accept-upload.ts'
import { attributeSchema, uploadSchema } from '../../garment/fields.ts'
import { parseExportDefaults } from '../../export/shop/defaults.ts'
import { toListing } from '../../export/shop/product.ts'
import { readLanguage } from '../../listing/languages.ts'
import { findGarmentWithDeliveries } from '../../overview/find-garment-with-deliveries.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { studioNote } from '../../studio/find-studio.ts'
import { listStudios } from '../../studio/list-studios.ts'
import { garmentPageNotFound } from '../errors/page-errors.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { withQuery } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { GarmentPage } from './garment-page.tsx'
import { garmentPath, garmentsPath } from '../paths.ts'
import { resultOf } from './result-of.ts'
import { listValues, readList } from './list/read-filter.ts'
import { readUpload, uploadFields } from './read-upload.ts'
import { UploadPage } from './upload-page.tsx'

export const garmentPages = new Hono<DashboardEnv>()

garmentPages.get('/dashboard/garment', forGarments, async (c) => {
  const { uuid = '', language } = c.req.query()
  const list = listValues(c.req.query())
  const isOfList = Object.keys(list).length > 0
  // Without a list, the neighbours among complete garments.
  const found = await findGarmentWithDeliveries(
    c.get('db'),
    c.get('tenant').id,
    uuid,
    isOfList ? readList(list) : { status: 'complete' },
  )
  if (found === null) throw garmentPageNotFound()
  c.set('uuid', uuid)
  const { clock, tenant } = c.get('viewer')
  const result = resultOf(c, found.garment)
  const { origin } = new URL(c.req.url)
  const attribute = attributeSchema.parse(JSON.parse(found.garment.attribute))
  const chosen = parseExportDefaults(found.storedDefaults, c.get('tenant').currency)
  const defaults = { ...chosen, language: language === undefined ? chosen.language : readLanguage(language) }
  const page = (
    <GarmentPage
      {...found}
      list={list}
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
  return await render(c, { title: `Garment ${uuid}`, section: garmentsPath }, page)
})

garmentPages.post('/dashboard/garment/delete', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), pictures, taggingQueue, webhookQueue }
  await deleteGarment(deps, c.get('tenant').id, uuid, Date.now(), c.get('viewer').actor)
  return c.redirect(withQuery(garmentsPath, { ...listValues(c.req.query()), done: 'deleted' }), 303)
})

garmentPages.get('/dashboard/upload', forGarments, async (c) => {
  const studios = await listStudios(c.get('db'), c.get('tenant').id)
  const page = <UploadPage form={{ values: { uuid: crypto.randomUUID() } }} studios={studios} />
  return await render(c, { title: 'Upload a garment', section: garmentsPath }, page)
})

garmentPages.post('/dashboard/upload', formBody, forGarments, async (c) => {
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
    { title: 'Upload a garment', section: garmentsPath, status },
    <UploadPage form={{ values, problems }} studios={studios} />,
  )
})

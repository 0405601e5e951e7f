import { type Context, Hono } from 'hono'
import { deleteGarment } from '../../garments/delete-garment.ts'
import { acceptFile, acceptUpload } from '../../garments/accept-upload.ts'
import { attributeSchema, uploadSchema } from '../../garments/fields.ts'
import { parseExportDefaults } from '../../exports/shops/defaults.ts'
import { toListing } from '../../exports/shops/product.ts'
import { readLanguage } from '../../garments/listing-texts/write-listing.ts'
import { findGarmentWithDeliveries } from './find-garment.ts'
import { ApiError, invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { listStudios, studioNote } from '../../garments/studios.ts'
import { emptyFile, garmentPageNotFound } from '../errors.ts'
import { drain, formBody, parseFields, problemsOf, readFileForm, readForm, submit } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { selectedIds, withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { GarmentPage } from './garment-page.tsx'
import { garmentPath, garmentsDeletionPath, garmentsPath, retryPath, retryWithFilePath } from '../paths.ts'
import { resultOf } from './tags.tsx'
import { listValues, readList } from './filter.tsx'
import { readUpload, uploadFields, UploadPage } from './upload-page.tsx'
import { getGarment } from '../../garments/garment.ts'
import { parseImages } from '../../garments/pictures/images.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'

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

export const deletePages = new Hono<DashboardEnv>()

/** Deletes the selected garments. One that is already gone is not an error. */
deletePages.post(garmentsDeletionPath, formBody, forGarments, async (c) => {
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), pictures, taggingQueue, webhookQueue }
  const uuids = selectedIds(await readForm(c))
  if (uuids.length === 0) throw invalidBody(['Select at least one garment in the list.'])
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  for (const uuid of uuids)
    try {
      await deleteGarment(deps, tenantId, uuid, Date.now(), c.get('viewer').actor)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'garment_not_found') throw error
    }
  return c.redirect(withQuery(garmentsPath, { ...listValues(c.req.query()), done: 'all_deleted' }), 303)
})

/** Tags a failed garment again, with its stored attributes. */
export const retryPages = new Hono<DashboardEnv>()

retryPages.post(retryPath, formBody, forGarments, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid } = await readForm(c)
  await limitWrites(c.env, tenantId)
  const { images, ...stored } = await getStored(c, uuid)
  await acceptUpload(c.env, tenantId, { ...stored, images }, stored.origin, Date.now())
  return c.redirect(garmentPath(stored.uuid, listValues(c.req.query())), 303)
})

/** With another picture in place of its own. */
retryPages.post(retryWithFilePath, forGarments, async (c) => {
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { fields, file } = await readFileForm(c, maxImageBytes)
    if (file.size === 0) throw emptyFile()
    const stored = await getStored(c, fields['uuid'])
    await acceptFile(c.env, tenantId, { ...stored, file }, Date.now())
    return stored.uuid
  })
  if (result.ok) return c.redirect(garmentPath(result.value, listValues(c.req.query())), 303)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  throw result.failure
})

async function getStored(c: Context<DashboardEnv>, uuid = '') {
  c.set('uuid', uuid)
  const garment = await getGarment(c.get('db'), c.get('tenant').id, uuid)
  const { origin } = new URL(c.req.url)
  const images = parseImages(garment).map(({ url, kind }) => ({ url, kind: kind || undefined }))
  return { uuid, images, attribute: attributeSchema.parse(JSON.parse(garment.attribute)), origin }
}

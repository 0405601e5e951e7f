import { type Context, Hono } from 'hono'
import { binGarment } from '../../garments/delete-garment.ts'
import { acceptFiles, acceptUpload } from '../../garments/accept-upload.ts'
import { parseAttribute } from '../../garments/fields.ts'
import { parseExportDefaults } from '../../exports/shops/defaults.ts'
import { parseCorrections } from '../../garments/corrections/correction.ts'
import { toListing } from '../../exports/shops/product.ts'
import { readLanguage } from '../../garments/listing-texts/listing-words.ts'
import { findGarmentWithDeliveries } from './find-garment.ts'
import { invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { studioNote } from '../../garments/studios.ts'
import { emptyFile, garmentPageNotFound, notCorrectable } from '../errors.ts'
import { attributeField, drain, formBody, problemsOf, readFileForm, readForm, submit } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { selectedIds, withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forTenant } from '../with-tenant.ts'
import { mayEdit, presentValues, readValues, type SentForm, valueNames } from './garment-form.tsx'
import { lineField, lineNames, readLines } from '../corrections/lines.tsx'
import {
  correctionFields,
  formItemType,
  measurementField,
  mergeStale,
  readCorrection,
} from '../corrections/read-correction.tsx'
import { roleNotAllowed } from '../../accounts/errors.ts'
import { maxCm, measurementKey, minCm } from '../../garments/corrections/allowed-values.ts'
import { correctGarment, invalidCorrection } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { unlessGone } from './bin.tsx'
import { GarmentPage } from './garment-page.tsx'
import { nameOf } from './garment-table.tsx'
import { garmentPath, garmentsDeletionPath, garmentsPath, retryPath, retryWithFilePath } from '../paths.ts'
import { resultOf } from './tags.tsx'
import { listValues, readList } from './filter.tsx'
import { type GarmentRow, garmentVersion, getGarment, machineResult } from '../../garments/garment.ts'
import { parseImages } from '../../garments/pictures/images.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'

export const garmentPages = new Hono<DashboardEnv>()

garmentPages.get('/dashboard/garment', forTenant, async (c) => await renderGarment(c, c.req.query('uuid')))

/** @param sent the page's form, as it was sent but not stored */
async function renderGarment(c: Context<DashboardEnv>, uuid = '', sent?: SentForm) {
  const { language } = c.req.query()
  const list = listValues(c.req.query())
  const isOfList = Object.keys(list).length > 0
  // Without a list, the neighbours among complete garments.
  const found = await findGarmentWithDeliveries(
    c.get('db'),
    c.get('tenant').id,
    uuid,
    isOfList ? readList(list, c.get('viewer').clock) : { status: 'complete' },
  )
  if (found === null) throw garmentPageNotFound()
  c.set('uuid', uuid)
  const { tenant, role } = c.get('viewer')
  const result = resultOf(c, found.garment)
  const { origin } = new URL(c.req.url)
  const attribute = parseAttribute(found.garment.attribute)
  const confirmed = Object.keys(parseCorrections(found.garment.corrections).measurements)
  const chosen = parseExportDefaults(found.storedDefaults, c.get('tenant').currency)
  const defaults = { ...chosen, language: language === undefined ? chosen.language : readLanguage(language) }
  const listing = result.complete ? toListing({ ...result, attribute, confirmed }, defaults) : null
  const name = nameOf(found.garment, result.tag)
  const page = (
    <GarmentPage
      {...found}
      {...{ name, list, result, listing, role, sent, origin }}
      language={defaults.language}
      studioNote={studioNote(found.studios, attribute)}
      domain={tenant?.domain ?? ''}
      now={Date.now()}
    />
  )
  return await render(c, { title: name, section: garmentsPath }, page)
}

/**
 * Corrects tags, measurements and lines, and changes the shop's values. What was not sent stays as it is. If somebody
 * else changed something meanwhile, shows those changes first.
 */
garmentPages.post('/dashboard/garment', formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const { role } = c.get('viewer')
  const isEdit = Object.keys(values).some((name) => /^(attribute\.|other$|value$)/.test(name))
  if (isEdit && !mayEdit(role)) throw roleNotAllowed(role, 'editor')
  const garment = await readCorrectable(c, c.req.query('uuid'))
  const { uuid } = garment
  const tenantId = c.get('tenant').id
  const present = presentValues(garment, role)
  const stale = values['base'] === undefined ? null : mergeStale(values['base'], present, values)
  if (stale !== null && stale.changes.length > 0) {
    c.status(409)
    return await renderGarment(c, uuid, { form: { values: stale.values }, changes: stale.changes })
  }
  if (values['intent'] === 'renew') return await renderGarment(c, uuid, { form: { values } })
  const machine = machineResult(garment)
  const attribute = parseAttribute(garment.attribute)
  const names = lineNames(resultOf(c, garment))
  const result = await submit(c, async () => {
    const current = parseCorrections(garment.corrections)
    const { measurements: read, ...correction } = readCorrection(values, current, machine, values['confirm'] === 'rest')
    const measurements = { ...read }
    const unread = Object.keys(measurements).filter((name) => Number.isNaN(measurements[name]))
    if (unread.length > 0)
      throw invalidCorrection(
        unread.map((name) => `measurements.${name}: must be a number of ${minCm} to ${maxCm} cm, such as 68.5`),
      )
    const lines = readLines(values, names)
    // A line that was moved has a new length, which nobody has confirmed yet.
    for (const name of Object.keys(lines))
      if (!values[measurementField(measurementKey(name))]) delete measurements[measurementKey(name)]
    const edited = isEdit ? { attribute: readValues(attribute, values) } : {}
    const change = { uuid, patch: { ...correction, measurements, lines, ...edited }, by: correctorOf(c) }
    const ifMatch = garmentVersion(garment)
    await correctGarment(correctionDeps(c.env, tenantId), tenantId, { ...change, ifMatch }, Date.now())
  })
  // The script of the review stays on its page.
  if (result.ok && c.req.header('accept') === 'application/json') return c.body(null, 204)
  if (result.ok) return c.redirect(garmentPath(uuid, listValues(c.req.query())), 303)
  const fields = [
    ...correctionFields(formItemType(values, machine)),
    ...valueNames(attribute).map(attributeField),
    ...names.map(lineField),
    'other',
    'value',
  ]
  const form = { values: { ...present, ...values }, problems: problemsOf(result.failure, fields) }
  return await renderGarment(c, uuid, { form })
})

async function readCorrectable(c: Context<DashboardEnv>, uuid = ''): Promise<GarmentRow> {
  c.set('uuid', uuid)
  const tenantId = c.get('tenant').id
  const garment = await getGarment(c.get('db'), tenantId, uuid)
  if (garment.status !== 'failed' && garment.status !== 'complete') throw notCorrectable()
  return garment
}

garmentPages.post('/dashboard/garment/delete', formBody, forTenant, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), taggingQueue, webhookQueue }
  await binGarment(deps, c.get('tenant').id, uuid, Date.now(), c.get('viewer').actor)
  return c.redirect(withQuery(garmentsPath, { ...listValues(c.req.query()), done: 'deleted' }), 303)
})

/** Puts the selected garments into the bin. One that is already gone is not an error. */
garmentPages.post(garmentsDeletionPath, formBody, forTenant, async (c) => {
  const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), taggingQueue, webhookQueue }
  const uuids = selectedIds(await readForm(c))
  if (uuids.length === 0) throw invalidBody(['Select at least one garment in the list.'])
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  for (const uuid of uuids)
    await unlessGone(async () => binGarment(deps, tenantId, uuid, Date.now(), c.get('viewer').actor))
  return c.redirect(withQuery(garmentsPath, { ...listValues(c.req.query()), done: 'all_deleted' }), 303)
})

/** Tags a failed garment again, with its stored attributes. */
garmentPages.post(retryPath, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid } = await readForm(c)
  await limitWrites(c.env, tenantId)
  const { images, ...stored } = await getStored(c, uuid)
  await acceptUpload(c.env, tenantId, { ...stored, images }, stored.origin, Date.now())
  return c.redirect(garmentPath(stored.uuid, listValues(c.req.query())), 303)
})

/** With another picture in place of its own. */
garmentPages.post(retryWithFilePath, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { fields, file } = await readFileForm(c, maxImageBytes)
    if (file.size === 0) throw emptyFile()
    const stored = await getStored(c, fields['uuid'])
    await acceptFiles(c.env, tenantId, { ...stored, file }, Date.now())
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
  return { uuid, images, attribute: parseAttribute(garment.attribute), origin }
}

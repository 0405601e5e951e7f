import { Hono, type Context } from 'hono'
import { acceptUpload } from '../../garment/accept-upload.ts'
import { attributeSchema } from '../../garment/fields.ts'
import { acceptFile } from '../../garment/file/accept-file.ts'
import { getGarment } from '../../garment/get-garment.ts'
import { maxBodyBytes } from '../../http/common-errors.ts'
import { maxImageBytes } from '../../outbound/fetch-image.ts'
import { emptyFile } from '../errors/page-errors.ts'
import { drain, formBody, readFileForm, readForm, submit } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { garmentPath, retryPath, retryWithFilePath } from '../paths.ts'
import type { DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { listValues } from './list/read-filter.ts'

/** Tags a failed garment again, with its stored attributes. */
export const retryPages = new Hono<DashboardEnv>()

retryPages.post(retryPath, formBody, forGarments, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid } = await readForm(c)
  await limitWrites(c.env, tenantId)
  const { imageUrl, ...stored } = await getStored(c, uuid)
  await acceptUpload(c.env, tenantId, { ...stored, image_url: imageUrl }, stored.origin, Date.now())
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
  const { imageUrl, attribute } = await getGarment(c.get('db'), c.get('tenant').id, uuid)
  const { origin } = new URL(c.req.url)
  return { uuid, imageUrl, attribute: attributeSchema.parse(JSON.parse(attribute)), origin }
}

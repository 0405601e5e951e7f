import { Hono } from 'hono'
import { acceptImage, imageChangeDeps } from '../../garments/accept-upload.ts'
import { maxImages } from '../../garments/pictures/annotated-picture.ts'
import { changeImages } from '../../garments/pictures/change-images.ts'
import { invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { emptyFile } from '../errors.ts'
import { drain, formBody, readFileForm, readForm, submit } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { garmentPath } from '../paths.ts'
import type { DashboardEnv } from '../viewer.ts'
import { forTenant } from '../with-tenant.ts'
import { listValues } from './filter.tsx'
import { readPictures } from './pictures.tsx'

export const picturePages = new Hono<DashboardEnv>()

picturePages.post('/dashboard/garment/pictures', formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const read = readPictures(await readForm(c))
  const change = (current: Parameters<typeof read>[0]) => {
    const images = read(current)
    if (images.length === 0) throw invalidBody(['images: must keep at least one picture; else delete the garment'])
    return images
  }
  const nowMs = Date.now()
  const by = c.get('viewer').actor
  await changeImages(imageChangeDeps(c.env, tenantId, nowMs), tenantId, { uuid, change, by }, nowMs)
  return c.redirect(`${garmentPath(uuid, listValues(c.req.query()))}#pictures`, 303)
})

picturePages.post('/dashboard/garment/pictures/add', forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { file } = await readFileForm(c, maxImageBytes, maxImages)
    if (file.size === 0) throw emptyFile()
    const { origin } = new URL(c.req.url)
    const by = c.get('viewer').actor
    await acceptImage(c.env, tenantId, { uuid, added: file, kind: '', origin, by }, Date.now())
  })
  if (result.ok) return c.redirect(`${garmentPath(uuid, listValues(c.req.query()))}#pictures`, 303)
  if (c.req.header('accept') === 'application/json')
    return c.json({ problems: result.failure.problems }, result.failure.status)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  throw result.failure
})

import { Hono } from 'hono'
import { deleteGarment } from '../../deletion/delete-garment.ts'
import { invalidBody } from '../../http/common-errors.ts'
import { ApiError } from '../../http/errors.ts'
import { formBody, readForm } from '../form.ts'
import { listValues } from '../garments/list/read-filter.ts'
import { limitWrites } from '../limit-writes.ts'
import { withQuery } from '../parts/list.tsx'
import { garmentsDeletionPath, garmentsPath } from '../paths.ts'
import type { DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { selectedIds } from '../parts/list.tsx'

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

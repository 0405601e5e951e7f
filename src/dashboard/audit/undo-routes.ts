import { Hono } from 'hono'
import { z } from 'zod'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { undoAttribute } from '../../correction/undo-attribute.ts'
import { formBody, parseFields, readForm, type FormValues } from '../form.ts'
import { listValues } from '../garments/list/read-filter.ts'
import { garmentPath } from '../paths.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { correctedParts } from './list-history.ts'

const correctionSchema = z.object({ part: z.enum(correctedParts), name: z.string() })
const changeSchema = z.object({ name: z.string(), at: z.coerce.number() })

export const undoPages = new Hono<DashboardEnv>()

const historyOf = (query: FormValues, uuid: string) => `${garmentPath(uuid, listValues(query))}#history`

/** Restores the predicted value of a corrected attribute, or the predicted place of a line. */
undoPages.post('/dashboard/correct/undo', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { part, name } = parseFields(correctionSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const nothing = { tag: {}, measurements: {} }
  const patch = part === 'lines' ? { ...nothing, undoneLines: [name] } : { ...nothing, [part]: { [name]: null } }
  await correctGarment(correctionDeps(c.env, tenantId), tenantId, { uuid, patch, by: correctorOf(c) }, Date.now())
  return c.redirect(historyOf(c.req.query(), uuid), 303)
})

/**
 * Restores the former value of a changed attribute. A route of its own, because not everyone who may correct may change
 * attributes.
 */
undoPages.post('/dashboard/edit/undo', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { name, at } = parseFields(changeSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const undone = { uuid, name, at, by: correctorOf(c) }
  await undoAttribute(correctionDeps(c.env, tenantId), tenantId, undone, Date.now())
  return c.redirect(historyOf(c.req.query(), uuid), 303)
})

import { Hono } from 'hono'
import { z } from 'zod'
import { correctGarment } from '../../correction/correct-garment.ts'
import { undoAttribute } from '../../correction/undo-attribute.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { garmentPath } from '../paths.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { historyParts } from './list-history.ts'

const undoSchema = z.object({ part: z.enum(historyParts), name: z.string(), at: z.coerce.number().optional() })

export const undoPages = new Hono<DashboardEnv>()

/** Brings a predicted value back, a line to where it was predicted, or an attribute's former value. */
undoPages.post('/dashboard/correct/undo', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { part, name, at = 0 } = parseFields(undoSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const deps = correctionDeps(c.env, tenantId)
  const by = correctorOf(c)
  const next = `${garmentPath(uuid)}#history`
  if (part === 'attribute') {
    await undoAttribute(deps, tenantId, { uuid, name, at, by }, Date.now())
    return c.redirect(next, 303)
  }
  const nothing = { tag: {}, measurements: {} }
  const patch = part === 'lines' ? { ...nothing, undoneLines: [name] } : { ...nothing, [part]: { [name]: null } }
  await correctGarment(deps, tenantId, { uuid, patch, by }, Date.now())
  return c.redirect(next, 303)
})

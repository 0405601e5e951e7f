import { Hono } from 'hono'
import { z } from 'zod'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { garmentPath } from '../paths.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { historyParts } from './list-history.ts'

const undoSchema = z.object({ part: z.enum(historyParts), name: z.string() })

export const undoPages = new Hono<DashboardEnv>()

/** Brings the predicted value of a corrected one back, and a line to where it was predicted. */
undoPages.post('/dashboard/correct/undo', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { part, name } = parseFields(undoSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const nothing = { tag: {}, measurements: {} }
  const patch = part === 'lines' ? { ...nothing, undoneLines: [name] } : { ...nothing, [part]: { [name]: null } }
  await correctGarment(correctionDeps(c.env, tenantId), tenantId, { uuid, patch, by: correctorOf(c) }, Date.now())
  return c.redirect(`${garmentPath(uuid)}#history`, 303)
})

import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { correctGarment } from '../../correction/correct-garment.ts'
import { correctionDeps } from '../../correction/store-correction.ts'
import { attributeSchema } from '../../garment/fields.ts'
import { getGarment } from '../../garment/get-garment.ts'
import { garmentVersion } from '../../garment/to-garment-response.ts'
import { formBody, readForm, submit } from '../form.ts'
import { listValues } from '../garments/list/read-filter.ts'
import type { FormState } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import { Breadcrumb } from '../parts/text.tsx'
import { garmentPath, garmentsPath, valuesPath } from '../paths.ts'
import { problemsOf } from '../problems.ts'
import { mergeStale, type OtherChange } from '../review/stale-form.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { attributeField } from '../attribute-fields.ts'
import { readValues, valueNames, valuesOf } from './read-values.ts'
import { ValuesForm } from './values-form.tsx'

export const valuesPages = new Hono<DashboardEnv>()

/** Changes the shop's own values of one garment. If somebody else changed them meanwhile, shows those changes first. */
valuesPages.post('/dashboard/garment/values', formBody, forGarments, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const list = listValues(c.req.query())
  const tenantId = c.get('tenant').id
  const values = await readForm(c)
  const garment = await getGarment(c.get('db'), tenantId, uuid)
  const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
  const show = async (status: ContentfulStatusCode, form: FormState, changes: readonly OtherChange[] = []) =>
    await render(
      c,
      { title: 'Change values', section: garmentsPath, status },
      <>
        <Breadcrumb name="Garments" path={withQuery(garmentsPath, list)} uuid={uuid} list={list} />
        <h1>Change values</h1>
        <ValuesForm path={valuesPath(uuid, list)} attribute={attribute} form={form} changes={changes} />
      </>,
    )
  const stale = values['base'] === undefined ? null : mergeStale(values['base'], valuesOf(attribute), values)
  if (stale !== null && stale.changes.length > 0) return await show(409, { values: stale.values }, stale.changes)
  const result = await submit(c, async () => {
    const patch = { tag: {}, measurements: {}, attribute: readValues(attribute, values) }
    const change = { uuid, patch, by: correctorOf(c), ifMatch: await garmentVersion(garment) }
    await correctGarment(correctionDeps(c.env, tenantId), tenantId, change, Date.now())
  })
  if (result.ok) return c.redirect(`${garmentPath(uuid, list)}#history`, 303)
  const fields = [...valueNames(attribute).map(attributeField), 'other', 'value']
  return await show(result.failure.status, { values, problems: problemsOf(result.failure, fields) })
})

import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { correctGarment } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { type GarmentRow, getGarment } from '../../garments/garment.ts'
import { notCorrectable } from '../errors.ts'
import { formBody, problemsOf, readForm, submit } from '../form.ts'
import type { FormState } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { Breadcrumb, Heading } from '../parts/text.tsx'
import { render } from '../parts/layout.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { garmentsPath, garmentPath, linesPath } from '../paths.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { listValues } from '../garments/filter.tsx'
import { resultOf } from '../garments/tags.tsx'
import { lineField, lineNames, LinePicture, readLines } from './lines.tsx'

const title = 'Measuring lines'

/** The form is part of the pages that show the picture. This page is shown only if something could not be stored. */
export const linePages = new Hono<DashboardEnv>()

linePages.get(
  linesPath,
  forGarments,
  async (c) => await renderLines(c, await readComplete(c, c.req.query('uuid')), undefined),
)

linePages.post(linesPath, formBody, forGarments, async (c) => {
  const values = await readForm(c)
  const garment = await readComplete(c, values['uuid'])
  const { uuid } = garment
  c.set('uuid', uuid)
  const names = lineNames(resultOf(c, garment))
  const result = await submit(c, async () => {
    const patch = { tag: {}, measurements: {}, lines: readLines(values, names) }
    const by = correctorOf(c)
    const tenantId = c.get('tenant').id
    await correctGarment(correctionDeps(c.env, tenantId), tenantId, { uuid, patch, by }, Date.now())
  })
  // The script of the review stays on its page.
  if (result.ok)
    return c.req.header('accept') === 'application/json'
      ? c.body(null, 204)
      : c.redirect(garmentPath(uuid, listValues(c.req.query())), 303)
  const problems = problemsOf(result.failure, names.map(lineField))
  return await renderLines(c, garment, { values, problems }, result.failure.status)
})

async function readComplete(c: Context<DashboardEnv>, uuid = ''): Promise<GarmentRow> {
  const garment = await getGarment(c.get('db'), c.get('tenant').id, uuid)
  if (garment.status !== 'complete') throw notCorrectable()
  return garment
}

async function renderLines(
  c: Context<DashboardEnv>,
  garment: GarmentRow,
  form: FormState | undefined,
  status: ContentfulStatusCode = 200,
) {
  const result = resultOf(c, garment)
  const list = listValues(c.req.query())
  const page = (
    <>
      <Breadcrumb name="Garments" path={withQuery(garmentsPath, list)} uuid={garment.uuid} list={list} />
      <Heading title={title} />
      <LinePicture garment={garment} result={result} list={list} {...(form === undefined ? {} : { form })} />
      <Shortcuts of={['lines']} />
      <script src="/assets/scripts/lines.js" type="module"></script>
    </>
  )
  return await render(c, { title, section: garmentsPath, status }, page)
}

import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { checkExport } from '../../export/check-export.ts'
import { findExportState, recordExport } from '../../export/last-exports.ts'
import { defaultNames, exportDefaultsSchema, putExportDefaults } from '../../export/shop/defaults.ts'
import { isShopFormat, streamExport } from '../../export/stream-export.ts'
import { settingsOf } from '../../settings.ts'
import { dayOf } from '../../time.ts'
import { formBody, parseFields, readForm, submit, type FormValues } from '../form.ts'
import { limitExports, limitWrites } from '../limit-writes.ts'
import type { FormState } from '../parts/fields.tsx'
import { render } from '../parts/render.tsx'
import { garmentsPath, exportDefaultsPath, exportFilePath, exportPath } from '../paths.ts'
import { problemsOf } from '../problems.ts'
import { madeBy, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { fromFields, toFields } from './defaults-form.tsx'
import { ExportPage } from './export-page.tsx'
import { readExport } from './read-export.ts'

export const exportPages = new Hono<DashboardEnv>()

exportPages.get(exportPath, forGarments, async (c) => await renderExport(c, {}))

exportPages.post(exportFilePath, formBody, forGarments, async (c) => {
  const { format, language, filter, isUnfiltered, isNewOnly, withIncomplete } = readExport(await readForm(c))
  const [nowMs, db, tenant] = [Date.now(), c.get('db'), c.get('tenant')]
  await limitExports(c.env, tenant.id)
  const state = await findExportState(db, tenant.id, tenant.currency)
  const defaults = { ...state.defaults, language: language ?? state.defaults.language }
  const since = isNewOnly ? state.last.get(format) : undefined
  const onSent = async (sent: Parameters<typeof recordExport>[3]) => await recordExport(db, tenant.id, format, sent)
  const stream = await streamExport(
    db,
    tenant.id,
    { ...filter, format, defaults, since, withIncomplete },
    { publicUrl: settingsOf(c.env).PUBLIC_URL, nowMs, onSent: isUnfiltered ? onSent : undefined },
  )
  const [extension, type] = format === 'json' ? ['json', 'application/json'] : ['csv', 'text/csv; charset=utf-8']
  const name = isShopFormat(format) ? `${format}-` : ''
  const today = dayOf(nowMs)
  return c.body(stream, 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="garments-${name}${today}.${extension}"`,
  })
})

exportPages.post(exportDefaultsPath, formBody, forGarments, async (c) => {
  const values = await readForm(c)
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    await putExportDefaults(c.get('db'), tenantId, parseFields(exportDefaultsSchema, fromFields(values)), madeBy(c))
  })
  if (result.ok) return c.redirect(`${exportPath}?done=defaults-saved#defaults`, 303)
  const { status } = result.failure
  const problems = problemsOf(result.failure, defaultNames)
  const form = { values, problems: { ...problems, byField: toFields(problems.byField) } }
  return await renderExport(c, { defaultsForm: form }, status)
})

/** The page with the report that the address asks for, or with the problems of the form of defaults. */
async function renderExport(
  c: Context<DashboardEnv>,
  { defaultsForm }: { readonly defaultsForm?: FormState },
  status: ContentfulStatusCode = 200,
) {
  const [db, tenant, values] = [c.get('db'), c.get('tenant'), c.req.query()]
  const { defaults, last } = await findExportState(db, tenant.id, tenant.currency)
  const report = values['check'] === undefined ? null : await makeReport(c, values, { defaults, last })
  const props = { values, defaults, last, report, defaultsForm, clock: c.get('viewer').clock }
  return await render(c, { title: 'Export garments', section: garmentsPath, status }, <ExportPage {...props} />)
}

async function makeReport(
  c: Context<DashboardEnv>,
  values: FormValues,
  { defaults, last }: Awaited<ReturnType<typeof findExportState>>,
) {
  const tenantId = c.get('tenant').id
  const { format, filter, isNewOnly } = readExport(values)
  if (!isShopFormat(format)) return null
  await limitExports(c.env, tenantId)
  const since = isNewOnly ? last.get(format) : undefined
  return { format, ...(await checkExport(c.get('db'), tenantId, { ...filter, format, defaults, since })) }
}

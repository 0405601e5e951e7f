import { z } from 'zod'
import { type Context, Hono } from 'hono'
import { languages } from '../garments/listing-texts/listing-words.ts'
import { exportFormats, isShopFormat, streamExport } from '../exports/stream-export.ts'
import { attributeField, formBody, type FormValues, parseFields, problemsOf, readForm, submit } from './form.ts'
import { filterValues, readFilter } from './garments/filter.tsx'
import { checkExport } from '../exports/check-export.ts'
import { countGarments } from '../platform/format-count.ts'
import { writeRow } from '../platform/csv/write-csv.ts'
import { maxLines } from '../imports/errors.ts'
import { storeEdits } from './garments/edit.tsx'
import { findExportState, recordExport } from '../exports/last-exports.ts'
import { ownFormat, readOwnFormat } from '../exports/own-files.ts'
import { defaultNames, exportDefaultsSchema, putExportDefaults } from '../exports/shops/defaults.ts'
import { toHandle } from '../exports/shops/product.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { settingsOf } from '../settings.ts'
import { dayOf } from '../time.ts'
import { limitExports, limitWrites } from './limit-writes.ts'
import type { Clock } from './clock.ts'
import type { FormState } from './parts/fields.tsx'
import { render } from './parts/layout.tsx'
import { exportDefaultsPath, exportFilePath, exportPath } from './paths.ts'
import { type DashboardEnv, madeBy } from './viewer.ts'
import { forTenant } from './with-tenant.ts'
import { ExportPage, fromFields, toFields } from './export-page.tsx'

const fields = z.object({
  format: z.enum(exportFormats, 'must be a known format'),
  language: z.enum(languages, 'must be a known language').optional(),
})

/** Reads the export form. Browsers send its empty fields too. */
function readExport(values: FormValues, clock: Clock) {
  const ownName = readOwnFormat(values['format'] ?? '')
  const asked = { ...values, ...(ownName !== undefined && { format: 'own' }) }
  const { format, language } = parseFields(fields, { ...asked, language: values['language'] || undefined })
  const filters = filterValues(values)
  return {
    format,
    /** The name of the tenant's own file. */
    ownName,
    language,
    filter: readFilter(filters, clock),
    /** Whether every garment is exported, so that the next export can continue where this one ends. */
    isUnfiltered: Object.keys(filters).length === 0,
    isNewOnly: values['since'] === 'last',
    withIncomplete: values['incomplete'] === 'yes',
    marksListed: values['mark'] === 'yes',
  }
}

export const exportPages = new Hono<DashboardEnv>()

exportPages.get(exportPath, forTenant, async (c) => await renderExport(c))

exportPages.post(exportFilePath, formBody, forTenant, async (c) => {
  const { format, ownName, language, filter, isUnfiltered, isNewOnly, withIncomplete, marksListed } = readExport(
    await readForm(c),
    c.get('viewer').clock,
  )
  const [nowMs, db, tenant] = [Date.now(), c.get('db'), c.get('tenant')]
  await limitExports(c.env, tenant.id)
  const state = await findExportState(db, tenant.id, tenant.currency)
  const defaults = { ...state.defaults, language: language ?? state.defaults.language }
  const file = state.files.find(({ name }) => name === ownName)
  if (format === 'own' && file === undefined) throw invalidBody(['format: there is no such file'])
  // Each of a tenant's own files goes on from its own last export.
  const stored = ownName === undefined ? format : ownFormat(ownName)
  const since = isNewOnly ? state.last.get(stored) : undefined
  const onSent = async (sent: Parameters<typeof recordExport>[3]) => await recordExport(db, tenant.id, stored, sent)
  const markListed = async (uuids: readonly string[]) => {
    // As many as one file may change.
    for (let from = 0; from < uuids.length; from += maxLines) {
      const part = uuids.slice(from, from + maxLines)
      const text = writeRow(['uuid', attributeField('Stage')]) + part.map((uuid) => writeRow([uuid, 'listed'])).join('')
      await storeEdits(c, { name: `Stage of ${countGarments(part.length)}`, text, removed: [] })
    }
  }
  const stream = await streamExport(
    db,
    tenant.id,
    { ...filter, format, columns: file?.columns, defaults, since, withIncomplete },
    {
      publicUrl: settingsOf(c.env).PUBLIC_URL,
      nowMs,
      onSent: isUnfiltered ? onSent : undefined,
      onWritten: marksListed ? markListed : undefined,
    },
  )
  const [extension, type] = format === 'json' ? ['json', 'application/json'] : ['csv', 'text/csv; charset=utf-8']
  const name = isShopFormat(format) ? `${format}-` : ownName === undefined ? '' : `${toHandle(ownName)}-`
  const today = dayOf(nowMs)
  return c.body(stream, 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="garments-${name}${today}.${extension}"`,
  })
})

exportPages.post(exportDefaultsPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    await putExportDefaults(c.get('db'), tenantId, parseFields(exportDefaultsSchema, fromFields(values)), madeBy(c))
  })
  if (result.ok) return c.redirect(`${exportPath}?done=defaults-saved#defaults`, 303)
  const problems = problemsOf(result.failure, defaultNames)
  const form = { values, problems: { ...problems, byField: toFields(problems.byField) } }
  return await renderExport(c, form)
})

/** The page with the report that the address asks for, or with the problems of the form of defaults. */
async function renderExport(c: Context<DashboardEnv>, defaultsForm?: FormState) {
  const [db, tenant, values] = [c.get('db'), c.get('tenant'), c.req.query()]
  const { defaults, last, files } = await findExportState(db, tenant.id, tenant.currency)
  const report = values['check'] === undefined ? null : await makeReport(c, values, { defaults, last })
  const props = { values, defaults, last, files, report, defaultsForm }
  return await render(c, { title: 'Export garments', section: exportPath }, <ExportPage {...props} />)
}

async function makeReport(
  c: Context<DashboardEnv>,
  values: FormValues,
  { defaults, last }: Pick<Awaited<ReturnType<typeof findExportState>>, 'defaults' | 'last'>,
) {
  const tenantId = c.get('tenant').id
  const { format, filter, isNewOnly } = readExport({ ...values, format: values['check'] ?? '' }, c.get('viewer').clock)
  if (!isShopFormat(format)) return null
  await limitExports(c.env, tenantId)
  const since = isNewOnly ? last.get(format) : undefined
  const publicUrl = settingsOf(c.env).PUBLIC_URL
  const checked = { ...filter, format, defaults, publicUrl, since }
  return { format, ...(await checkExport(c.get('db'), tenantId, checked)) }
}

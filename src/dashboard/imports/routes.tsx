import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { boundText } from '../../platform/limits/bound-text.ts'
import { newId } from '../../platform/db/database.ts'
import { givenAttributeSchema, garmentUuid, knownAttributes } from '../../garments/fields.ts'
import { overwriteByImport, pauseImport, wakeImporter } from '../../imports/wake-importer.ts'
import { quotasOf } from '../../accounts/quotas.ts'
import { beginEdits } from '../../imports/importer.ts'
import { undoImport } from '../../imports/undo-import.ts'
import { importNotFound, maxLines } from '../../imports/errors.ts'
import { storeFile } from '../../imports/store-file.ts'
import { settingsOf } from '../../settings.ts'
import {
  formBody,
  type FormValues,
  parseFields,
  problemsOf,
  readFileForm,
  readForm,
  readKnownAttributes,
  submit,
} from '../form.ts'
import { emptyFile } from '../errors.ts'
import type { MultipartForm } from '../../platform/http/multipart.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { writeRow } from '../../platform/csv/write-csv.ts'
import { importLineStatuses } from '../../platform/db/schema.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { binImports } from '../../imports/delete-import.ts'
import { getImport, listImports, streamReport } from '../../imports/get-import.ts'
import { readLinesFile, withCsvSlot } from '../../imports/receive-lines.ts'
import { openRows } from '../../imports/read-lines.ts'
import { storeLines } from '../../imports/store-lines.ts'
import { admitMember } from '../../accounts/authenticate.ts'
import { maxImages } from '../../garments/pictures/annotated-picture.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import type { FormState } from '../parts/fields.tsx'
import { oneOf, selectedIds, withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import { forTenant } from '../with-tenant.ts'
import { ImportPage, lineStatusNames } from './import-page.tsx'
import { importFilePath, importPath, importsDeletionPath, importsPath, importTemplatePath } from '../paths.ts'
import { ImportsPage } from './imports-page.tsx'
import { limitFiles, limitWrites } from '../limit-writes.ts'
import { askForColumns, csvFormBody, limitCsvForms, readCsvForm } from './csv-form.tsx'

const fileFields = z.object({
  import: z.string().regex(/^[0-9a-f-]{36}$/, 'must be the one of the page'),
  uuid: garmentUuid,
  attribute: givenAttributeSchema,
  // From the script of the page, which knows how many garments there are.
  total: z.coerce.number().int().min(0).max(maxLines).default(0),
})

/** Stores the image files of a form as a line of an import: the pictures of one garment. */
async function receiveFile(c: Context<DashboardEnv>, { fields, file }: MultipartForm, nowMs: number) {
  const tenantId = c.get('tenant').id
  if (file.size === 0) throw emptyFile()
  const {
    import: importId,
    uuid,
    attribute,
    total: expectedFiles,
  } = parseFields(fileFields, {
    import: fields['import'],
    uuid: fields['uuid']?.trim() || (fields['file_names'] === 'on' ? withoutExtension(file.name) : newId()),
    attribute: readKnownAttributes(fields),
    total: fields['total'],
  })
  const deps = { db: c.get('db'), pictures: c.env.PICTURES, settings: settingsOf(c.env) }
  const { origin } = new URL(c.req.url)
  const line = await storeFile(deps, tenantId, { importId, uuid, attribute, file, origin, expectedFiles }, nowMs)
  waitUntil(wakeImporter(c.env, tenantId))
  return { importId, line, uuid }
}

const withoutExtension = (name: string) => name.replace(/(.)\.[^.]*$/, '$1')

const section = importsPath
const pageSize = 24
const maxLinesAtOnce = 50
/** That of `importPath`. */
const onePath = '/dashboard/import/:id{[0-9a-f-]{36}}'
const download = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}"`,
})

const lineNumber = (text = '0') => parseFields(z.coerce.number().int().min(0).max(1_000_000), text)

export const importPages = new Hono<DashboardEnv>()

interface Forms {
  readonly csvForm?: FormState
  readonly filesForm?: FormState
}

async function showImports(c: Context<DashboardEnv>, { csvForm, filesForm }: Forms = {}) {
  const { cursor } = c.req.query()
  const { rows, nextCursor } = await listImports(c.get('db'), c.get('tenant').id, { limit: pageSize, cursor })
  const page = (
    <ImportsPage
      imports={rows}
      nextCursor={nextCursor}
      cursor={cursor}
      importId={newId()}
      isPartlyDone={c.req.query('done') === 'some_deleted'}
      csvForm={csvForm}
      filesForm={filesForm}
    />
  )
  return await render(c, { title: 'Add many', section }, page)
}

importPages.get(importsPath, forTenant, async (c) => await showImports(c))

const limitForms = limitCsvForms(
  async (c, failure) => await showImports(c, { csvForm: { values: {}, problems: problemsOf(failure, []) } }),
)

importPages.post(importsPath, forTenant, limitForms, csvFormBody, async (c) => {
  const tenantId = c.get('tenant').id
  const { name, content, field, pasted, chosen } = await readCsvForm(c)
  const deps = { db: c.get('db'), settings: settingsOf(c.env) }
  const { origin } = new URL(c.req.url)
  const result = await submit(c, async () =>
    withCsvSlot(tenantId, async () => {
      const text = typeof content === 'string' ? content : readLinesFile(content, 'file')
      const unknown = unknownColumns(text, chosen)
      if (unknown.length > 0) return askForColumns(unknown, text)
      return await storeLines(deps, tenantId, { name, text, chosen, by: correctorOf(c), origin }, Date.now())
    }),
  )
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['file', 'csv'], { 'line ': field })
    return await showImports(c, { csvForm: { values: { csv: pasted }, problems } })
  }
  if ('values' in result.value) return await showImports(c, { csvForm: result.value })
  const { id, ignored } = result.value
  waitUntil(wakeImporter(c.env, tenantId))
  return c.redirect(withQuery(importPath(id), { ignored: boundText(ignored.join(', '), 1500) || undefined }), 303)
})

/** Those that nobody knows; none of a file that cannot be used, which is said when it is stored. */
function unknownColumns(text: string, chosen: Readonly<Record<string, string>>) {
  try {
    return openRows(text, chosen).read.columns.filter(({ isUnknown }) => isUnknown)
  } catch {
    return []
  }
}

importPages.post(importFilePath, forTenant, async (c) => {
  let values: FormValues = {}
  const result = await submit(c, async () => {
    await limitFiles(c.env, c.get('viewer').id)
    const form = await readFileForm(c, maxImageBytes, maxImages)
    values = form.fields
    return await receiveFile(c, form, Date.now())
  })
  const isScript = c.req.header('accept') === 'application/json'
  if (result.ok) {
    const { importId, line, uuid } = result.value
    return isScript ? c.json({ line, uuid }) : c.redirect(importPath(importId), 303)
  }
  const { failure } = result
  if (isScript) return c.json({ problems: failure.problems }, failure.status)
  const problems = problemsOf(failure, ['uuid', 'image', 'attribute'])
  return await admitMember(c.get('viewer'), async () => await showImports(c, { filesForm: { values, problems } }))
})

importPages.get(importTemplatePath, (c) =>
  c.body(writeRow(['uuid', 'image_url', ...knownAttributes]), 200, download('import-template.csv')),
)

importPages.get(onePath, forTenant, async (c) => {
  const { cursor, ignored } = c.req.query()
  const status = oneOf(importLineStatuses, c.req.query(), 'status')
  const filter = { status, after: lineNumber(cursor), limit: pageSize }
  const found = await getImport(c.get('db'), c.get('tenant').id, c.req.param('id'), filter)
  const page = <ImportPage {...found} row={found.import} status={status} cursor={cursor} ignored={ignored} />
  return await render(c, { title: found.import.name, section }, page)
})

/** The part of the upload page that shows its images. */
importPages.get(`${onePath}/lines`, forTenant, async (c) => {
  const filter = { after: lineNumber(c.req.query('after')), limit: maxLinesAtOnce }
  const { lines } = await getImport(c.get('db'), c.get('tenant').id, c.req.param('id'), filter)
  return c.json({
    lines: lines.map(({ line, status, problem }) => ({
      line,
      status,
      statusName: lineStatusNames[status][1],
      problem,
    })),
  })
})

for (const action of ['pause', 'resume'] as const)
  importPages.post(`${onePath}/${action}`, formBody, forTenant, async (c) => {
    const id = c.req.param('id')
    await pauseImport(c.env, c.get('tenant').id, { id, paused: action === 'pause' })
    return c.redirect(importPath(id), 303)
  })

importPages.post(`${onePath}/overwrite`, formBody, forTenant, async (c) => {
  const id = c.req.param('id')
  await overwriteByImport(c.env, c.get('tenant').id, id)
  return c.redirect(importPath(id), 303)
})

importPages.post(`${onePath}/undo`, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  const nowMs = Date.now()
  const deps = { db: c.get('db'), quotas: quotasOf(settingsOf(c.env), nowMs) }
  const undo = { id: c.req.param('id'), by: correctorOf(c), origin: new URL(c.req.url).origin }
  const id = await undoImport(deps, tenantId, undo, nowMs)
  await beginEdits(c.env, tenantId, id, nowMs)
  return c.redirect(importPath(id), 303)
})

importPages.post(`${onePath}/delete`, formBody, forTenant, async (c) => {
  const binning = { ids: [c.req.param('id')], by: c.get('viewer').actor }
  if ((await binImports(c.get('db'), c.get('tenant').id, binning, Date.now())) === 0) throw importNotFound()
  return c.redirect(`${importsPath}?done=deleted`, 303)
})

importPages.post(importsDeletionPath, formBody, forTenant, async (c) => {
  const ids = selectedIds(await readForm(c))
  if (ids.length === 0) throw invalidBody(['Select at least one import in the list.'])
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  const found = await binImports(c.get('db'), tenantId, { ids, by: c.get('viewer').actor }, Date.now())
  return c.redirect(`${importsPath}?done=${found === ids.length ? 'all_deleted' : 'some_deleted'}`, 303)
})

importPages.get(`${onePath}/report.csv`, forTenant, async (c) => {
  const [db, tenantId, id] = [c.get('db'), c.get('tenant').id, c.req.param('id')]
  // Checked first: an import that does not exist is a 404, which cannot be sent once the file has started.
  await getImport(db, tenantId, id, { after: 0, limit: 0 })
  return c.body(await streamReport(db, tenantId, id), 200, download('import-report.csv'))
})

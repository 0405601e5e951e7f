import { PostForm, Form, type FormState } from '../parts/form-fields.tsx'
import { formatCount } from '../../platform/format-count.ts'
import {
  type ImportLineRow,
  type ImportRow,
  countLines,
  getImport,
  getImportWithGarments,
  listImports,
  storedAttribute,
  streamReport,
} from '../../imports/get-import.ts'
import {
  PlainLink,
  Badge,
  Breadcrumb,
  Empty,
  Facts,
  Heading,
  maybeWhen,
  Notice,
  StatusBadge,
  type StatusNames,
  When,
  Card,
  WhenCell,
} from '../parts/elements.tsx'
import { listingNames, readListingValue } from '../../garments/listing-values.ts'
import { parseSame } from '../../garments/duplicates.ts'
import { shortenUuids } from '../../garments/list/garment-number.ts'
import { listedGarments, type ListedGarment } from '../../garments/list/list-garments.ts'
import { importLineStatuses } from '../../platform/db/schema.ts'
import { maxPictures, nameOf as pictureName, parseGiven } from '../../garments/pictures/garment-picture.ts'
import {
  binPath,
  garmentPath,
  importPath,
  importsPath,
  importUndoPath,
  importFilePath,
  importsDeletionPath,
  importTemplatePath,
} from '../paths.ts'
import { Bin } from '../parts/actions.tsx'
import { Table, Filter, Pager, withQuery, SelectAll, SelectBox, oneOf, selectedIds } from '../parts/list-parts.tsx'
import { maxLines } from '../../imports/import-errors.ts'
import { failureAdvice } from '../garments/failure-advice.ts'
import { nameOf } from '../garments/garment-name.ts'
import { Thumbnail } from '../garments/garment-table.tsx'
import { BlankLabels } from '../garments/labels-page.tsx'
import { FilesForm, receiveFile } from './files-form.tsx'
import { CsvFields, askForColumns, csvFormBody, limitCsvForms, readCsvForm } from './csv-form.tsx'
import { knownAttributes, maxUuidLength } from '../../garments/garment-fields.ts'
import { formBody, type FormValues, parseFields, problemsOf, readFileForm, readForm, submit } from '../form.ts'
import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { boundText } from '../../platform/limits/bound-text.ts'
import { newId } from '../../platform/db/database.ts'
import { addUnmatched, chooseGarment, skipUnmatched } from '../../imports/answer-unmatched.ts'
import { overwriteByImport, pauseImport, wakeImporter } from '../../imports/wake-importer.ts'
import { quotasOf } from '../../accounts/quotas.ts'
import { beginEdits } from '../../imports/importer.ts'
import { undoImport } from '../../imports/undo-import.ts'
import { settingsOf } from '../../settings.ts'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'
import { writeRow } from '../../platform/csv/write-csv.ts'
import { ApiError, invalidBody } from '../../platform/http/errors.ts'
import { binImports } from '../../imports/delete-import.ts'
import { readLinesFile, withCsvSlot } from '../../imports/receive-import-file.ts'
import { openRows } from '../../imports/read-import-lines.ts'
import { storeLines } from '../../imports/store-import-lines.ts'
import { admitMember } from '../../accounts/authenticate.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { render } from '../parts/layout.tsx'
import { limitFiles, limitWrites } from '../limit-writes.ts'

const lineStatusNames: StatusNames<ImportLineRow['status']> = {
  waiting: ['calm', 'Waiting'],
  tagging: ['busy', 'Tagging'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
  unchanged: ['calm', 'Unchanged'],
  refused: ['bad', 'Refused'],
  asking: ['bad', 'Asks'],
  unmatched: ['bad', 'Unclear'],
}

const ImportStatus = ({ row }: { row: ImportRow }) => {
  const missing = missingFiles(row)
  if (row.endedAt !== null && missing > 0)
    return (
      <Badge tone="calm">{`${formatCount(missing)} ${missing === 1 ? 'garment has' : 'garments have'} not arrived`}</Badge>
    )
  if (row.endedAt !== null && row.unmatched > 0) return <Badge tone="busy">Asks you</Badge>
  if (row.endedAt !== null) return <Badge tone="good">Done</Badge>
  if (row.storedAt === null) return <Badge tone="calm">Being stored</Badge>
  if (!row.paused) return <Badge tone="busy">Under way</Badge>
  return (
    <Badge tone="calm">{row.tagging === 0 ? 'Paused' : `Paused, ${formatCount(row.tagging)} still being tagged`}</Badge>
  )
}

/** Number of garments that the page has announced but whose files have not arrived. */
const missingFiles = (row: ImportRow) => Math.max(row.expectedFiles - countLines(row), 0)

const totalOf = (row: ImportRow) => countLines(row) + missingFiles(row)

const endedOf = (row: ImportRow) => countLines(row) - row.waiting - row.tagging

const isLive = ({ endedAt, storedAt, paused, tagging }: ImportRow) =>
  endedAt === null && storedAt !== null && (!paused || tagging > 0)

const ImportProgress = ({ row, label }: { row: ImportRow; label: string }) => (
  <progress max={Math.max(totalOf(row), 1)} value={endedOf(row)} aria-label={label} />
)

const Asking = ({ row }: { row: ImportRow }) => (
  <Notice
    tone="bad"
    title={`${formatCount(row.asking)} ${row.asking === 1 ? 'row' : 'rows'} changed nothing, because the garments were changed later.`}
  >
    <p>
      The list names the later changes. <a href={`${importPath(row.id)}?status=asking`}>Show them</a>
    </p>
    <PostForm action={`${importPath(row.id)}/overwrite`} button="Apply them anyway" kind="plain" />
  </Notice>
)

/** Asks about rows that match no garment for certain: for all of them here, for each in the table. */
const Unmatched = ({ row }: { row: ImportRow }) => (
  <Notice
    tone="bad"
    title={`${formatCount(row.unmatched)} ${row.unmatched === 1 ? 'row belongs' : 'rows belong'} to no garment for certain. What are they?`}
  >
    <p>
      They have changed and added nothing yet. A row finds its garment by uuid, by an SKU that only one garment has, or
      by a number such as G-1042. A row without a picture adds no garment.{' '}
      <a href={withQuery(importPath(row.id), { status: 'unmatched' })}>Choose for each row</a>
    </p>
    <form class="actions" method="post" action={`${importPath(row.id)}/answer`}>
      <button name="answer" value="add">
        Add new garments
      </button>
      <button class="plain" name="answer" value="skip">
        Leave these rows out
      </button>
    </form>
  </Notice>
)

const UnmatchedRow = ({ importId, line, pictures }: Pick<ImportLineRow, 'importId' | 'line' | 'pictures'>) => (
  <form class="answer" method="post" action={`${importPath(importId)}/answer`}>
    <input type="hidden" name="line" value={line} />
    <label class="visually-hidden" for={`garment-${line}`}>
      Garment of line {line}
    </label>
    <input id={`garment-${line}`} name="garment" placeholder="G-1042, SKU or uuid" autocomplete="off" />
    <button class="quiet" name="answer" value="choose">
      It is this garment
    </button>
    {pictures !== null && (
      <button class="quiet" name="answer" value="add">
        New garment
      </button>
    )}
    <button class="quiet" name="answer" value="skip">
      Leave out
    </button>
  </form>
)

const ImportSummary = ({ row }: { row: ImportRow }) => (
  <section class="card" aria-label="Progress">
    <ImportProgress row={row} label="Progress" />
    <Facts
      facts={[
        ['Lines', formatCount(totalOf(row))],
        ...importLineStatuses.map(
          (status) => [lineStatusNames[status][1], row[status] === 0 ? '' : formatCount(row[status])] as const,
        ),
        ['Begun', <When at={row.createdAt} />],
        ['Done', maybeWhen(row.endedAt)],
      ]}
    />
    <div class="actions">
      {row.endedAt === null && row.storedAt !== null && (
        <form method="post" action={`${importPath(row.id)}/${row.paused ? 'resume' : 'pause'}`}>
          <button class="plain">{row.paused ? 'Resume' : 'Pause'}</button>
        </form>
      )}
      <PlainLink to={`${importPath(row.id)}/report.csv`}>Download a report</PlainLink>
      {isLive(row) && (
        <a href="" data-without-scripts>
          Reload
        </a>
      )}
    </div>
  </section>
)

const hasGarment = (status: ImportLineRow['status']) => !['waiting', 'refused', 'unmatched'].includes(status)

/** Returns a line's problem, and for a garment that could not be described what to do about it. */
const problemOf = ({ status, problem, pictures }: ImportLineRow, garment: ListedGarment | undefined) =>
  status === 'failed' && garment?.status === 'failed' && pictures !== null ? failureAdvice(garment.failure) : problem

interface LineTableProps {
  readonly lines: readonly ImportLineRow[]
  readonly garments: readonly ListedGarment[]
}

const LineTable = ({ lines, garments }: LineTableProps) => (
  <Table names={['Line', 'Garment', 'Status', 'Image, or what is wrong']}>
    {lines.map((row) => (
      <LineRow row={row} garment={garments.find(({ uuid }) => uuid === row.uuid)} />
    ))}
  </Table>
)

function LineRow({ row, garment }: { row: ImportLineRow; garment: ListedGarment | undefined }) {
  const { importId, line, uuid, pictures, status } = row
  const problem = problemOf(row, garment)
  const title = readListingValue(storedAttribute(row.attribute), listingNames.title)
  return (
    <tr>
      <td data-label="Line">{line}</td>
      <th scope="row">
        {hasGarment(status) ? (
          <span class="named">
            {garment && <Thumbnail garment={garment} tenantId={garment.tenantId} />}
            <a class="clipped" href={garmentPath(uuid)}>
              {garment === undefined || shortenUuids(uuid) === uuid ? shortenUuids(uuid) : nameOf(garment, garment.tag)}
            </a>
          </span>
        ) : (
          <>
            <span class="uuid">{uuid || '–'}</span>
            {title !== '' && <span class="hint clipped">{title}</span>}
          </>
        )}
      </th>
      <td data-label="Status">
        <StatusBadge names={lineStatusNames} status={status} />
      </td>
      <td data-label={problem === '' ? 'Image' : 'Problem'}>
        {problem === '' ? (
          <span class="hint break">
            {parseGiven(pictures ?? '[]')
              .slice(0, 1)
              .map(pictureName)}
          </span>
        ) : (
          <span class="reason">{problem}</span>
        )}
        {status === 'unmatched' && <UnmatchedRow importId={importId} line={line} pictures={pictures} />}
      </td>
    </tr>
  )
}

const CsvForm = ({ form }: { form: FormState | undefined }) => (
  <Form class="card" action={importsPath} form={form} enctype="multipart/form-data" aria-labelledby="csv-title">
    <h2 id="csv-title">A spreadsheet</h2>
    <p class="hint">
      Changes existing garments, or adds new ones by the URLs of their pictures. Reads our own exports, and files of
      Shopify, eBay, Google and WooCommerce.
    </p>
    <CsvFields />
    <button class="plain">Import the lines</button>
    <p class="hint">
      An empty cell changes nothing. New garments need a number (<code>uuid</code>) and the address of a picture (
      <code>image_url</code>): <a href={importTemplatePath}>a template</a>. At most {formatCount(maxLines)} lines.
    </p>
  </Form>
)

/** The table's checkboxes belong to the form with this id. */
const deletionFormId = 'delete-imports'

/** An import cannot be deleted while its lines are being stored. */
const isDeletable = ({ storedAt }: ImportRow) => storedAt !== null

const ImportTable = ({ imports }: { imports: readonly ImportRow[] }) => (
  <Table names={['Import', 'Status', 'Progress', 'Problems', 'Begun']}>
    {imports.map((row) => (
      <tr>
        <th scope="row">
          <span class="pick">
            <SelectBox form={deletionFormId} id={row.id} name={row.name} disabled={!isDeletable(row)} />
            <a class="break" href={importPath(row.id)}>
              {row.name}
            </a>
          </span>
        </th>
        <td data-label="Status">
          <ImportStatus row={row} />
        </td>
        <td data-label="Progress">
          <ImportProgress row={row} label={`Progress of ${row.name}`} />{' '}
          <span class="hint">
            {formatCount(endedOf(row))} of {formatCount(totalOf(row))}
          </span>
        </td>
        <td data-label="Problems">{formatCount(row.failed + row.refused + row.asking + row.unmatched)}</td>
        <WhenCell label="Begun" at={row.createdAt} />
      </tr>
    ))}
  </Table>
)

const pageSize = 24
const linesPerPage = 20
const maxLinesAtOnce = 50
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
  const { rows: imports, nextCursor } = await listImports(c.get('db'), c.get('tenant').id, { limit: pageSize, cursor })
  return await render(
    c,
    { title: 'Add many', section: importsPath },
    <>
      <Heading
        title="Add many"
        lead="Garments are described one after another as soon as they are uploaded. You can close the page meanwhile."
      />
      {c.req.query('done') === 'some_deleted' && (
        <Notice tone="busy" title="Not all of the selected imports are in the bin.">
          <p>The others no longer exist, or their lines are still being stored. Try those again in a moment.</p>
        </Notice>
      )}
      {cursor === undefined && (
        <div class="many">
          <FilesForm form={filesForm} importId={newId()} />
          <CsvForm form={csvForm} />
          <details class="card">
            <summary>Blank labels</summary>
            <BlankLabels />
          </details>
        </div>
      )}
      <div id="live" data-live={imports.some(isLive) ? '' : undefined}>
        {imports.length > 0 && (
          <Card id="added" title="Added before" kind="flush">
            <ImportTable imports={imports} />
          </Card>
        )}
        {imports.length === 0 && cursor !== undefined && <Empty title="No more imports" />}
      </div>
      {imports.some(isDeletable) && (
        <>
          <SelectAll form={deletionFormId} />
          <details class="card confirm">
            <summary>Delete several imports</summary>
            <form id={deletionFormId} method="post" action={importsDeletionPath}>
              {/* Enter on a checkbox activates the form's first button, so the first button does nothing. */}
              <button formmethod="dialog" hidden></button>
              <p>
                The selected imports go into the <a href={binPath}>bin</a> with their reports. Waiting lines are not
                uploaded. Garments that they have uploaded stay.
              </p>
              <button class="bad">Move the selected to the bin</button>
            </form>
          </details>
        </>
      )}
      <Pager path={importsPath} query={{}} isFirst={cursor === undefined} next={nextCursor} nextName="Older imports" />
      <script src="/assets/scripts/upload/upload-files.js" type="module"></script>
    </>,
  )
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
      return await storeLines(
        deps,
        tenantId,
        { name, text, chosen, by: correctorOf(c), origin, asks: true },
        Date.now(),
      )
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

/** Returns the columns with unknown names. Returns none for an invalid file, because storing it reports the problem. */
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
    const form = await readFileForm(c, maxImageBytes, maxPictures)
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

const countColumns = (names: string) => {
  const count = names.split(', ').length
  return count === 1 ? '1 column was' : `${count} columns were`
}

importPages.get(importTemplatePath, (c) =>
  c.body(writeRow(['uuid', 'image_url', ...knownAttributes]), 200, download('import-template.csv')),
)

importPages.get(onePath, forTenant, async (c) => {
  const { cursor, ignored } = c.req.query()
  const status = oneOf(importLineStatuses, c.req.query(), 'status')
  const filter = { status, after: lineNumber(cursor), limit: linesPerPage }
  const found = await getImportWithGarments(c.get('db'), c.get('tenant').id, c.req.param('id'), filter)
  const { import: row, lines, nextAfter, garments } = found
  return await render(
    c,
    { title: row.name, section: importsPath },
    <>
      <Breadcrumb name="Add many" path={importsPath} />
      <div
        id="live"
        data-live={isLive(row) ? '' : undefined}
        data-announce={row.endedAt === null ? undefined : 'Import: done'}
      >
        <Heading title={<span class="break">{row.name}</span>}>
          <ImportStatus row={row} />
        </Heading>
        {ignored !== undefined && (
          <Notice
            tone="calm"
            title={`${countColumns(ignored)} ignored, because they are computed or not about garments.`}
          >
            <details>
              <summary>Show the columns</summary>
              <p class="break">{ignored}</p>
            </details>
          </Notice>
        )}
        {row.unmatched > 0 && <Unmatched row={row} />}
        {row.asking > 0 && <Asking row={row} />}
        {row.endedAt !== null && row.edits > 0 && (
          <form class="actions" method="post" action={importUndoPath(row.id)}>
            <button class="plain">Undo</button>
            <span class="hint">
              Gives the changed garments their former values. Values that were changed again later stay.
            </span>
          </form>
        )}
        <ImportSummary row={row} />
        <Filter
          label="Status"
          options={[[undefined, 'All'], ...importLineStatuses.map((each) => [each, lineStatusNames[each][1]] as const)]}
          current={status}
          href={(value) => withQuery(importPath(row.id), { status: value })}
        />
        <section class="card flush" aria-label="Lines">
          {lines.length === 0 ? <Empty title="No lines here" /> : <LineTable lines={lines} garments={garments} />}
        </section>
      </div>
      <Pager
        path={importPath(row.id)}
        query={{ status }}
        isFirst={cursor === undefined}
        next={nextAfter === null ? null : String(nextAfter)}
        nextName="Further lines"
      />
      {row.storedAt !== null && (
        <Bin what="import" action={`${importPath(row.id)}/delete`}>
          It goes into the <a href={binPath}>bin</a> with its report. Waiting lines are not uploaded. Garments that it
          has uploaded stay.
        </Bin>
      )}
    </>,
  )
})

/** Answers the upload page's script with the states of an import's lines. */
importPages.get(`${onePath}/lines`, forTenant, async (c) => {
  const filter = { after: lineNumber(c.req.query('after')), limit: maxLinesAtOnce }
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const { lines } = await getImport(db, tenantId, c.req.param('id'), { ...filter, withSame: true })
  const failed = lines.filter(({ status }) => status === 'failed').map(({ uuid }) => uuid)
  const garments = failed.length === 0 ? [] : await listedGarments(db, tenantId, failed)
  return c.json({
    lines: lines.map((row) => {
      const { line, status } = row
      const same = parseSame(row.same)
      return {
        line,
        status,
        statusName: lineStatusNames[status][1],
        problem: problemOf(
          row,
          garments.find(({ uuid }) => uuid === row.uuid),
        ),
        same: same && { name: same.name, path: garmentPath(same.uuid) },
      }
    }),
  })
})

for (const action of ['pause', 'resume'] as const)
  importPages.post(`${onePath}/${action}`, formBody, forTenant, async (c) => {
    const id = c.req.param('id')
    await pauseImport({ env: c.env, db: c.get('db') }, c.get('tenant').id, { id, paused: action === 'pause' })
    return c.redirect(importPath(id), 303)
  })

importPages.post(`${onePath}/overwrite`, formBody, forTenant, async (c) => {
  const id = c.req.param('id')
  await overwriteByImport({ env: c.env, db: c.get('db') }, c.get('tenant').id, id, Date.now())
  return c.redirect(importPath(id), 303)
})

const answerFields = z.object({
  answer: z.enum(['add', 'skip', 'choose']),
  line: z.coerce.number().int().positive().optional(),
  garment: z.string().trim().max(maxUuidLength).optional(),
})

/** Answers what unmatched rows are: all of them, or one `line`. */
importPages.post(`${onePath}/answer`, formBody, forTenant, async (c) => {
  const { answer, line, garment = '' } = parseFields(answerFields, await readForm(c))
  const [db, { id: tenantId }, id] = [c.get('db'), c.get('tenant'), c.req.param('id')]
  await limitWrites(c.env, tenantId)
  const nowMs = Date.now()
  if (answer === 'skip') await skipUnmatched(db, tenantId, { id, line }, nowMs)
  else if (answer === 'add') await addUnmatched(db, tenantId, { id, line }, nowMs)
  else if (line !== undefined)
    await chooseGarment({ db, settings: settingsOf(c.env) }, tenantId, { id, line, garment }, nowMs)
  waitUntil(wakeImporter(c.env, tenantId))
  return c.redirect(withQuery(importPath(id), { status: line === undefined ? undefined : 'unmatched' }), 303)
})

importPages.post(`${onePath}/undo`, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  const nowMs = Date.now()
  const deps = { db: c.get('db'), quotas: quotasOf(settingsOf(c.env), nowMs) }
  const undo = { id: c.req.param('id'), by: correctorOf(c), origin: new URL(c.req.url).origin }
  const id = await undoImport(deps, tenantId, undo, nowMs)
  await beginEdits({ env: c.env, db: c.get('db') }, tenantId, id, nowMs)
  return c.redirect(importPath(id), 303)
})

importPages.post(`${onePath}/delete`, formBody, forTenant, async (c) => {
  const binning = { ids: [c.req.param('id')], by: c.get('viewer').actor }
  if ((await binImports(c.get('db'), c.get('tenant').id, binning, Date.now())) === 0)
    throw new ApiError('import_not_found')
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
  // Checks first that the import exists, because a 404 cannot be sent after the file has started.
  await getImport(db, tenantId, id, { after: 0, limit: 0 })
  return c.body(await streamReport(db, tenantId, id), 200, download('import-report.csv'))
})

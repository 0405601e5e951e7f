import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { attributeField, formBody, type FormValues, submitForm } from '../form.ts'
import { Form, type FormState } from '../parts/fields.tsx'
import { selectedIds, withQuery } from '../parts/list.tsx'
import { Breadcrumb, Notice } from '../parts/text.tsx'
import { editPath, garmentsPath, importPath } from '../paths.ts'
import { countGarments } from '../../platform/format-count.ts'
import { maxCsvBytes, maxLines } from '../../imports/errors.ts'
import type { AttributePatch } from '../../garments/corrections/attributes.ts'
import { writeRow } from '../../platform/csv/write-csv.ts'
import { collectUuids } from '../../exports/walk-garments.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { getImport } from '../../imports/get-import.ts'
import { beginEdits } from '../../imports/importer.ts'
import { withCsvSlot } from '../../imports/receive-lines.ts'
import { wakeImporter } from '../../imports/wake-importer.ts'
import { storeLines } from '../../imports/store-lines.ts'
import { settingsOf } from '../../settings.ts'
import { filterValues, readFilter } from './filter.tsx'
import { limitCsvFiles, limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forTenant } from '../with-tenant.ts'
import { editFields, EditForm, readEdit, readSelection } from './edit-form.tsx'

interface ConfirmAllProps {
  /** What would be changed, such as `Price of 12 garments`. */
  readonly name: string
  /** How many garments the person sees and confirms. */
  readonly count: number
  readonly filter: Readonly<Record<string, string | undefined>>
  readonly values: FormValues
}

/** Asks before all that a list finds is changed, and keeps what was entered. */
const ConfirmAll = ({ name, count, filter, values: { confirm, ...values } }: ConfirmAllProps) => (
  <>
    <Breadcrumb name="Garments" path={withQuery(garmentsPath, filter)} />
    <h1>Change garments</h1>
    <Form action={withQuery(editPath, filter)} fields={values}>
      <Notice tone="bad" title={`This changes ${name}.`}>
        {confirm !== undefined && <p>The list finds another number of garments now than when you were asked.</p>}
        {selectedIds(values).length > 0 && <p>All that the list finds are changed, not only those that you ticked.</p>}
        <p>Nothing has been changed yet. Afterwards all of it can be undone together.</p>
        <div class="actions">
          <button class="bad" name="confirm" value={String(count)}>
            Change them all
          </button>
          <a href={withQuery(garmentsPath, filter)}>Change nothing</a>
        </div>
      </Notice>
    </Form>
  </>
)

const title = 'Change garments'

export const editPages = new Hono<DashboardEnv>()

/** Changes selected garments immediately, and, once confirmed, everything that a list finds as an import. */
editPages.post(editPath, formBody, forTenant, async (c) => {
  const filter = filterValues(c.req.query())
  const result = await submitForm(c, editFields, async (values) => {
    const attribute = readEdit(values)
    const selected = readSelection(values)
    if (selected === null) return await editAll(c, filter, attribute, values['confirm'])
    const id = await editSelected(c, selected, attribute)
    return { next: withQuery(garmentsPath, { ...filter, done: 'edited', import: id }) }
  })
  if (result.ok) {
    const edited = result.value
    if ('next' in edited) return c.redirect(edited.next, 303)
    const page = <ConfirmAll {...edited} filter={filter} values={result.values} />
    return await render(c, { title, section: garmentsPath }, page)
  }
  return await render(c, { title, section: garmentsPath }, <Refused form={result.form} filter={filter} />)
})

/** As an import that has ended when this returns, so that all of it can be undone. Returns its id. */
async function editSelected(
  c: Context<DashboardEnv>,
  uuids: readonly string[],
  attribute: AttributePatch,
): Promise<string> {
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  const id = await storeLinesOf(c, toChange(uuids, attribute))
  await beginEdits(c.env, tenantId, id, Date.now())
  const { lines } = await getImport(c.get('db'), tenantId, id, { after: 0, limit: uuids.length })
  const problems = lines.flatMap(({ uuid, problem }) => (problem === '' ? [] : [`${uuid}: ${problem}`]))
  if (problems.length > 0) throw invalidBody([...problems, 'All other selected garments were changed.'])
  return id
}

/** A change of garments as a file, and what it is called, such as `Price of 12 garments`. */
function toChange(uuids: readonly string[], patch: AttributePatch) {
  const changes = Object.entries(patch).filter((entry): entry is [string, string] => entry[1] !== null)
  const removed = Object.keys(patch).filter((name) => patch[name] === null)
  const names = changes.map(([name]) => name)
  const changed = [...names, ...removed.map((name) => `${name} (removed)`)].join(', ')
  const cells = changes.map(([, value]) => value)
  let text = writeRow(['uuid', ...names.map(attributeField)])
  for (const uuid of uuids) {
    text += writeRow([uuid, ...cells])
    if (text.length > maxCsvBytes)
      throw invalidBody(['These values are too long for so many garments; narrow the list.'])
  }
  return { name: `${changed} of ${countGarments(uuids.length)}`, text, removed }
}

const nothingFound = () => invalidBody(['The list finds no complete garment.'])

/** Returns the page to go to, or what would be changed, to be confirmed first. */
async function editAll(
  c: Context<DashboardEnv>,
  filter: FormValues,
  patch: AttributePatch,
  confirmed: string | undefined,
) {
  const tenantId = c.get('tenant').id
  // First, because to find them takes hundreds of queries, whether or not they can be changed.
  await limitCsvFiles(c.env, c.get('viewer').id)
  const found = readFilter(filter, c.get('viewer').clock)
  // Other garments have no result yet to which the values could be added.
  if (found.status !== undefined && found.status !== 'complete') throw nothingFound()
  const { uuids, hasMore } = await collectUuids(c.get('db'), tenantId, found, maxLines)
  if (hasMore) throw invalidBody([`The list finds more than ${countGarments(maxLines)}; narrow it.`])
  if (uuids.length === 0) throw nothingFound()
  const change = toChange(uuids, patch)
  // Not if the list finds another number by now.
  if (confirmed !== String(uuids.length)) return { name: change.name, count: uuids.length }
  return { next: importPath(await storeEdits(c, change)) }
}

/** Stores changes of many garments as an import without pictures, whose page shows the progress. Returns its id. */
export async function storeEdits(c: Context<DashboardEnv>, change: ReturnType<typeof toChange>): Promise<string> {
  const id = await storeLinesOf(c, change)
  waitUntil(wakeImporter(c.env, c.get('tenant').id))
  return id
}

async function storeLinesOf(c: Context<DashboardEnv>, change: ReturnType<typeof toChange>): Promise<string> {
  const tenantId = c.get('tenant').id
  const file = { ...change, by: correctorOf(c), overwrites: true, origin: new URL(c.req.url).origin }
  const deps = { db: c.get('db'), settings: settingsOf(c.env) }
  const { id } = await withCsvSlot(tenantId, async () => await storeLines(deps, tenantId, file, Date.now()))
  return id
}

/** The form again, with the garments that were selected. */
const Refused = ({ form, filter }: { form: FormState; filter: Readonly<Record<string, string | undefined>> }) => (
  <>
    <Breadcrumb name="Garments" path={withQuery(garmentsPath, filter)} />
    <h1>{title}</h1>
    <EditForm form={form} filter={filter} selected={selectedIds(form.values)} />
  </>
)

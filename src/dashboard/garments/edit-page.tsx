import { z } from 'zod'
import type { AttributePatch } from '../../garments/corrections/attributes.ts'
import { binDays } from '../../garments/bin.ts'
import { allowedValues } from '../../garments/corrections/allowed-values.ts'
import { attributeSchema, givenAttributeSchema } from '../../garments/garment-fields.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { attributeField, type FormValues, parseFields, formBody, submitForm } from '../form.ts'
import { tagField } from '../corrections/read-correction.tsx'
import { selectedIds, selectField, withQuery } from '../parts/list-parts.tsx'
import { Check, Choice, Field, Form, type FormState, Summary } from '../parts/form-fields.tsx'
import { editPath, garmentsDeletionPath, importsPath, garmentsPath, importPath, mergeSelectedPath } from '../paths.ts'
import { conditions, stages } from '../../garments/listing-values.ts'
import type { Child } from 'hono/jsx'
import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { Breadcrumb, Notice } from '../parts/elements.tsx'
import { countGarments } from '../../platform/format-count.ts'
import { maxCsvBytes, maxLines } from '../../imports/import-errors.ts'
import { writeRow } from '../../platform/csv/write-csv.ts'
import { collectUuids } from '../../exports/walk-garments.ts'
import { getImport } from '../../imports/get-import.ts'
import { beginEdits } from '../../imports/importer.ts'
import { withCsvSlot } from '../../imports/receive-import-file.ts'
import { wakeImporter } from '../../imports/wake-importer.ts'
import { storeLines } from '../../imports/store-import-lines.ts'
import { settingsOf } from '../../settings.ts'
import { shortenUuids } from '../../garments/list/garment-number.ts'
import { type ListedGarment, listedGarments } from '../../garments/list/list-garments.ts'
import { nameOf } from './garment-name.ts'
import { filterValues, readFilter } from './garment-filter.tsx'
import { limitCsvFiles, limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'

const editedNames = ['Price', 'Currency', 'Size', 'Condition', 'Stage', 'Stock', 'SKU'] as const

export const listedValues: Readonly<Record<string, readonly string[]>> = { Condition: conditions, Stage: stages }

const removeField = (name: (typeof editedNames)[number] | 'other') => `remove.${name}`

const editedTags = ['Brand', 'Gender', 'Item Type', 'Colour', 'Material'] as const

const editFields = [...editedNames.map(attributeField), ...editedTags.map(tagField), 'other', 'value', 'scope']

interface Edit {
  /** The shop's values, with null for values to remove. */
  readonly attribute: AttributePatch
  readonly tag: Readonly<Record<string, string>>
}

/** Reads the additional column. Throws 400 for a name without a value, or a value without a name. */
export function readOther(values: FormValues): { readonly other: string; readonly value: string } {
  const other = values['other']?.trim() ?? ''
  const value = values['value']?.trim() ?? ''
  if (other === '' && value !== '') throw invalidBody(['other: name the column that is to have this value'])
  if (other !== '' && value === '') throw invalidBody(['value: must not be empty'])
  return { other, value }
}

/** Throws 400 if nothing changes, or if a value is both set and removed. */
function readEdit(values: FormValues): Edit {
  const entries = editedNames.map((name) => [name, values[attributeField(name)]?.trim() ?? ''] as const)
  const removed = editedNames.filter((name) => values[removeField(name)] === 'yes')
  const other = readOtherEdit(values)
  const both = entries.filter(([name, text]) => text !== '' && removed.includes(name))
  if (both.length > 0)
    throw invalidBody(both.map(([name]) => `${attributeField(name)}: either give a value or remove it, not both`))
  const attribute = Object.fromEntries([...entries, [other.name, other.value ?? '']].filter(([, text]) => text !== ''))
  const names = [...removed, ...(other.value === null ? [other.name] : [])]
  const tags = editedTags.map((name) => [name, values[tagField(name)]?.trim() ?? ''] as const)
  const tag = Object.fromEntries(tags.filter(([, text]) => text !== ''))
  if (Object.keys({ ...attribute, ...tag }).length + names.length === 0)
    throw invalidBody(['Fill in at least one value, or choose one to remove.'])
  parseFields(attributeSchema, Object.fromEntries(names.map((name) => [name, ''])))
  const parsed = parseFields(z.object({ attribute: givenAttributeSchema }), { attribute })
  return { attribute: { ...parsed.attribute, ...Object.fromEntries(names.map((name) => [name, null])) }, tag }
}

function readOtherEdit(values: FormValues): { readonly name: string; readonly value: string | null } {
  if (values[removeField('other')] !== 'yes') {
    const { other, value } = readOther(values)
    return { name: other, value }
  }
  const name = values['other']?.trim() ?? ''
  if (name === '') throw invalidBody(['other: name the column that is to be removed'])
  if (values['value']?.trim()) throw invalidBody(['value: either give a value or remove the column, not both'])
  return { name, value: null }
}

/** Returns the selected garments, or null for all garments that match the filter. Throws 400 if nothing is selected. */
function readSelection(values: FormValues): readonly string[] | null {
  if (values['scope'] === 'all') return null
  const uuids = selectedIds(values)
  if (uuids.length === 0) throw invalidBody(['scope: select at least one garment, or all that the list shows'])
  return uuids
}

/** The list's checkboxes belong to the form with this id. */
export const editFormId = 'edit'

interface EditFormProps {
  readonly form?: FormState
  readonly filter: Readonly<Record<string, string | undefined>>
  readonly selected?: readonly string[]
}

export const EditForm = ({ form, filter, selected = [] }: EditFormProps) => (
  <details class="card" open={form !== undefined}>
    <summary>Change several garments</summary>
    <Form
      id={editFormId}
      action={withQuery(editPath, filter)}
      form={form}
      fields={Object.fromEntries(selected.map((uuid) => [selectField(uuid), 'yes']))}
    >
      <Summary />
      <p class="hint">
        Empty fields change nothing. <a href={importsPath}>Change them by CSV</a>
      </p>
      <div class="pair">
        {editedNames.map((name) =>
          listedValues[name] !== undefined ? (
            <Choice name={attributeField(name)} label={name} empty="As it is" values={listedValues[name]} optional />
          ) : (
            <Field name={attributeField(name)} label={name} optional />
          ),
        )}
        <Field name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
        <Field name="value" label="Its value" optional />
      </div>
      <fieldset>
        <legend>Correct tags</legend>
        <div class="pair">
          {editedTags.map((name) => (
            <EditedTag name={name} />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Remove values</legend>
        <p class="hint">Selected values are removed from the garments. You can undo this in each garment's history.</p>
        <div class="pair">
          {editedNames.map((name) => (
            <Check name={removeField(name)} label={`Remove ${name}`} />
          ))}
          <Check name={removeField('other')} label="Remove the other column" />
        </div>
      </fieldset>
      <div class="actions">
        <button name="scope" value="selected">
          Change the selected
        </button>
        <button class="plain" name="scope" value="all">
          Change all matching garments
        </button>
      </div>
    </Form>
  </details>
)

const EditedTag = ({ name }: { name: (typeof editedTags)[number] }) => {
  const allowed = allowedValues(name, '')
  const field = { name: tagField(name), label: name, optional: true }
  return Array.isArray(allowed) ? <Choice {...field} empty="As it is" values={allowed} /> : <Field {...field} />
}

/** The button belongs to the edit form, because its checkboxes select the garments. */
export const DeleteSelected = ({ filter }: Pick<EditFormProps, 'filter'>) => (
  <details class="card confirm">
    <summary>Delete several garments</summary>
    <div class="panel">
      <p>The selected garments go into the bin, which keeps them for {binDays} days.</p>
      <button class="bad" form={editFormId} formaction={withQuery(garmentsDeletionPath, filter)}>
        Move the selected to the bin
      </button>
    </div>
  </details>
)

export const MergeSelected = () => (
  <details class="card confirm">
    <summary>Merge</summary>
    <div class="panel">
      <p>The selected garments become one with all their pictures. You then choose which one stays.</p>
      <button form={editFormId} formaction={mergeSelectedPath}>
        Merge the selected
      </button>
    </div>
  </details>
)

export const editPages = new Hono<DashboardEnv>()

/** Changes selected garments at once, or all that match the filter in the background after a confirmation. */
editPages.post(editPath, formBody, forTenant, async (c) => {
  const filter = filterValues(c.req.query())
  const result = await submitForm(c, editFields, async (values) => {
    const edit = readEdit(values)
    const selected = readSelection(values)
    if (selected === null) return await editAll(c, filter, edit, values['confirm'])
    const id = await editSelected(c, selected, edit)
    return { next: withQuery(garmentsPath, { ...filter, done: 'edited', import: id }) }
  })
  if (!result.ok)
    return await renderEdit(
      c,
      <EditForm form={result.form} filter={filter} selected={selectedIds(result.form.values)} />,
    )
  if ('next' in result.value) return c.redirect(result.value.next, 303)
  const { name, count } = result.value
  const { confirm, ...values } = result.values
  return await renderEdit(
    c,
    <Form action={withQuery(editPath, filter)} fields={values}>
      <Notice tone="bad" title={`This changes ${name}.`}>
        {confirm !== undefined && <p>The number of matching garments has changed since you were asked.</p>}
        {selectedIds(values).length > 0 && <p>All matching garments are changed, not only the selected ones.</p>}
        <p>Nothing has been changed yet. You can undo the whole change afterwards.</p>
        <div class="actions">
          <button class="bad" name="confirm" value={String(count)}>
            Change them all
          </button>
          <a href={withQuery(garmentsPath, filter)}>Change nothing</a>
        </div>
      </Notice>
    </Form>,
  )
})

const renderEdit = async (c: Context<DashboardEnv>, content: Child) =>
  await render(
    c,
    { title: 'Change garments', section: garmentsPath },
    <>
      <Breadcrumb name="Garments" path={withQuery(garmentsPath, filterValues(c.req.query()))} />
      <h1>Change garments</h1>
      {content}
    </>,
  )

/** Changes the garments as one import, so that all changes can be undone together. Returns the import's id. */
async function editSelected(c: Context<DashboardEnv>, uuids: readonly string[], edit: Edit): Promise<string> {
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  // A failed garment has no values to change until its item type is given.
  const listed = await listedGarments(c.get('db'), tenantId, uuids)
  const failed = edit.tag['Item Type'] === undefined ? listed.filter(({ status }) => status === 'failed') : []
  const failedUuids = failed.map(({ uuid }) => uuid)
  const others = uuids.filter((uuid) => !failedUuids.includes(uuid))
  if (others.length === 0) throw invalidBody([notDescribed(failed)])
  const id = await storeLinesOf(c, toChange(others, edit))
  await beginEdits({ env: c.env, db: c.get('db') }, tenantId, id, Date.now())
  const { lines } = await getImport(c.get('db'), tenantId, id, { after: 0, limit: others.length })
  const problems = lines.flatMap(({ uuid, problem }) => {
    const garment = listed.find((each) => each.uuid === uuid)
    return problem === '' ? [] : [`${garment ? nameOf(garment, garment.tag) : shortenUuids(uuid)}: ${problem}`]
  })
  if (failed.length > 0) problems.push(notDescribed(failed))
  if (problems.length > 0) throw invalidBody([...problems, 'All other selected garments were changed.'])
  return id
}

const notDescribed = (failed: readonly ListedGarment[]) =>
  `${countGarments(failed.length)} could not be described, so there is nothing to change: ` +
  `${failed.map((garment) => nameOf(garment, garment.tag)).join(', ')}. Open each one, then replace its picture or describe it by hand.`

function toChange(uuids: readonly string[], { attribute, tag }: Edit) {
  const changes = Object.entries(attribute).filter((entry): entry is [string, string] => entry[1] !== null)
  const removed = Object.keys(attribute).filter((name) => attribute[name] === null)
  const names = [...changes.map(([name]) => name), ...Object.keys(tag)]
  const changed = [...names, ...removed.map((name) => `${name} (removed)`)].join(', ')
  const cells = [...changes.map(([, value]) => value), ...Object.values(tag)]
  let text = writeRow(['uuid', ...changes.map(([name]) => attributeField(name)), ...Object.keys(tag).map(tagField)])
  for (const uuid of uuids) {
    text += writeRow([uuid, ...cells])
    if (text.length > maxCsvBytes)
      throw invalidBody(['These values are too long for so many garments; narrow the list.'])
  }
  return { name: `${changed} of ${countGarments(uuids.length)}`, text, removed }
}

const nothingFound = () => invalidBody(['The list finds no complete garment.'])

/** Returns the next page, or a description of the change that needs confirmation. */
async function editAll(c: Context<DashboardEnv>, filter: FormValues, edit: Edit, confirmed: string | undefined) {
  const tenantId = c.get('tenant').id
  // Checks the limit first, because finding the garments takes hundreds of queries.
  await limitCsvFiles(c.env, c.get('viewer').id)
  const found = readFilter(filter, c.get('viewer').clock)
  // Only complete garments have values that can be changed.
  if (found.status !== undefined && found.status !== 'complete') throw nothingFound()
  const { uuids, hasMore } = await collectUuids(c.get('db'), tenantId, found, maxLines)
  if (hasMore) throw invalidBody([`The list finds more than ${countGarments(maxLines)}; narrow it.`])
  if (uuids.length === 0) throw nothingFound()
  const change = toChange(uuids, edit)
  // Asks again if the number of garments has changed since the confirmation was shown.
  if (confirmed !== String(uuids.length)) return { name: change.name, count: uuids.length }
  return { next: importPath(await storeEdits(c, change)) }
}

interface Change extends ReturnType<typeof toChange> {
  /** False to keep values that changed after the time in the column `exported_at`. */
  readonly overwrites?: boolean
}

export async function storeEdits(c: Context<DashboardEnv>, change: Change): Promise<string> {
  const id = await storeLinesOf(c, change)
  waitUntil(wakeImporter(c.env, c.get('tenant').id))
  return id
}

async function storeLinesOf(c: Context<DashboardEnv>, change: Change): Promise<string> {
  const tenantId = c.get('tenant').id
  const file = { overwrites: true, ...change, by: correctorOf(c), origin: new URL(c.req.url).origin }
  const deps = { db: c.get('db'), settings: settingsOf(c.env) }
  const { id } = await withCsvSlot(tenantId, async () => await storeLines(deps, tenantId, file, Date.now()))
  return id
}

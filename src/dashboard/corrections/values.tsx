import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { attributeSchema } from '../../garments/fields.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { attributeField, formBody, type FormValues, problemsOf, readForm, submit } from '../form.ts'
import { readOther } from '../garments/edit-form.tsx'
import { conditions, plainKey } from '../../garments/own-values.ts'
import { Choice, Field, type FormState, Summary, TextArea } from '../parts/fields.tsx'
import { formatBase, mergeStale, type OtherChange, OtherChanges } from './read-correction.tsx'
import { correctGarment } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { garmentVersion, getGarment } from '../../garments/garment.ts'
import { listValues } from '../garments/filter.tsx'
import { withQuery } from '../parts/list.tsx'
import { render } from '../parts/layout.tsx'
import { Breadcrumb } from '../parts/text.tsx'
import { garmentPath, garmentsPath, valuesPath } from '../paths.ts'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'

/** The values that shops state most often, in the order of the form. */
const usualNames = ['Title', 'Description', 'Price', 'Currency', 'Size', 'Condition', 'Stock', 'SKU']

/** The names with a field: the usual ones as the garment spells them, then its others. */
function valueNames(attribute: Attribute): string[] {
  const own = new Map(Object.keys(attribute).map((name) => [plainKey(name), name]))
  const usual = usualNames.map((name) => own.get(plainKey(name)) ?? name)
  return [...usual, ...Object.keys(attribute).filter((name) => !usual.includes(name))]
}

const valuesOf = (attribute: Attribute): FormValues =>
  Object.fromEntries(valueNames(attribute).map((name) => [attributeField(name), attribute[name] ?? '']))

/**
 * The values that differ from the garment's. An emptied field removes its value. Throws 400 for a column with only a
 * name or only a value.
 */
function readValues(attribute: Attribute, values: FormValues): Readonly<Record<string, string | null>> {
  const { other, value } = readOther(values)
  const given = valueNames(attribute).flatMap((name): [string, string | null][] => {
    const text = values[attributeField(name)]?.trim()
    if (text === undefined || text === (attribute[name] ?? '').trim()) return []
    return [[name, text === '' ? null : text]]
  })
  return Object.fromEntries(other === '' ? given : [...given, [other, value]])
}

export const valuesFormId = 'values'

interface ValuesFormProps {
  readonly path: string
  readonly attribute: Readonly<Record<string, string>>
  /** Absent on the garment's own page. */
  readonly form?: FormState
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
}

/** The shop's own values of one garment: price, title, stock and any other column. */
export const ValuesForm = ({ path, attribute, form, changes = [] }: ValuesFormProps) => {
  const state = form ?? { values: valuesOf(attribute) }
  return (
    <details class="card" open={form !== undefined}>
      <summary>Change price, title or other values</summary>
      {/* Inside, because a link to an element in closed details opens them. */}
      <form id={valuesFormId} method="post" action={path} novalidate>
        {changes.length > 0 && <OtherChanges changes={changes} />}
        <Summary form={state} />
        <input type="hidden" name="base" value={formatBase(valuesOf(attribute))} />
        <p class="hint">An emptied field takes the value away. Your title and text stand in place of ours.</p>
        <div class="pair">
          {valueNames(attribute).map((name) => (
            <ValueField form={state} name={name} value={attribute[name] ?? ''} />
          ))}
          <Field form={state} name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
          <Field form={state} name="value" label="Its value" optional />
        </div>
        <div class="actions">
          <button>Save values</button>
        </div>
      </form>
    </details>
  )
}

const ValueField = ({ form, name, value }: { form: FormState; name: string; value: string }) => {
  const field = { form, name: attributeField(name), label: name, optional: true }
  // A single-line field would lose the line breaks of an unchanged text.
  if (plainKey(name) === 'description' || value.includes('\n')) return <TextArea {...field} />
  if (plainKey(name) === 'condition') return <Choice {...field} empty="Not said" values={conditions} />
  return <Field {...field} />
}

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

import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { catalogue, type Catalogue } from '../../vision/attributes/catalogue.ts'
import {
  allowedMeasurements,
  allowedValues,
  correctableNames,
  lineName,
  maxCm,
  minCm,
} from '../../garments/corrections/allowed-values.ts'
import { itemTypeOf, type MachineResult } from '../../garments/corrections/apply-corrections.ts'
import { Choice, Field, type FormState, Summary } from '../parts/fields.tsx'
import {
  correctionFields,
  formatBase,
  formItemType,
  formValues,
  measurementField,
  mergeStale,
  type OtherChange,
  OtherChanges,
  readCorrection,
  tagField,
} from './read-correction.tsx'
import type { GarmentResult } from '../../garments/fields.ts'
import { listValues, type ListValues } from '../garments/filter.tsx'
import { type GarmentRow, garmentVersion, getGarment, hasPicture, machineResult } from '../../garments/garment.ts'
import { parseCorrections } from '../../garments/corrections/correction.ts'
import { originalPath } from '../../garments/pictures/uploaded-file.ts'
import { AnnotatedPicture } from './lines.tsx'
import { Breadcrumb, Heading, Original } from '../parts/text.tsx'
import { withQuery } from '../parts/list.tsx'
import { correctionPath, garmentPath, garmentsPath } from '../paths.ts'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { correctGarment, invalidCorrection } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { notCorrectable } from '../errors.ts'
import { formBody, problemsOf, readForm, submit } from '../form.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv } from '../viewer.ts'
import { forGarments } from '../with-tenant.tsx'
import { resultOf } from '../garments/tags.tsx'

interface CorrectionFieldsProps {
  readonly form: FormState
  readonly machine: MachineResult
  readonly entries?: Catalogue
}

/** A field for each value that the garment can have, with the predicted one beside it. */
export const CorrectionFields = ({ form, machine, entries = catalogue }: CorrectionFieldsProps) => {
  const itemType = formItemType(form.values, machine)
  const measurements = allowedMeasurements(itemType)
  return (
    <div data-renewed="">
      <div class="pair">
        {correctableNames(entries).map((name) => (
          <TagField form={form} machine={machine} name={name} itemType={itemType} entries={entries} />
        ))}
      </div>
      {measurements.length > 0 && (
        <fieldset>
          <legend>Measurements in cm</legend>
          <div class="pair">
            {measurements.map((name) => (
              <Field
                form={form}
                name={measurementField(name)}
                type="number"
                label={lineName(name)}
                hint={
                  machine.measurements[name] === undefined ? 'Not measured' : `Measured: ${machine.measurements[name]}`
                }
                optional
              />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  )
}

const TagField = ({
  form,
  machine,
  name,
  itemType,
  entries,
}: CorrectionFieldsProps & { name: string; itemType: string }) => {
  const allowed = allowedValues(name, itemType, entries)
  const predicted = machine.tag[name]
  const props = { form, name: tagField(name), label: name, hint: hintOf(machine, name), optional: true }
  if (allowed === 'text' || allowed === 'hex') return <Field {...props} />
  if (allowed === undefined || allowed.length === 0) return null
  const tagged = typeof predicted === 'string' ? [predicted] : []
  const alternatives = [machine.tag[`${name} Alternatives`] ?? []].flat().filter((value) => allowed.includes(value))
  const others = allowed.filter((value) => value !== predicted && !alternatives.includes(value))
  const groups = [
    {
      label: 'Tagged',
      values: tagged.filter((value) => allowed.includes(value) || itemType === itemTypeOf(machine)),
    },
    { label: 'Alternatives', values: alternatives },
    { label: 'Others', values: others },
  ]
  return <Choice {...props} empty="Not checked" groups={groups} />
}

function hintOf({ tag }: MachineResult, name: string): string {
  const [predicted, confidence] = [tag[name], tag[`${name} Confidence`]]
  if (typeof predicted !== 'string') return 'Not tagged'
  return typeof confidence === 'string' ? `Tagged: ${predicted} (${confidence})` : `Tagged: ${predicted}`
}

interface CorrectionPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly machine: MachineResult
  readonly form: FormState
  /** The parameters of the list that the garment was opened from; empty for none. */
  readonly list: ListValues
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
}

const CorrectionPage = ({ garment, result, machine, form, list, changes = [] }: CorrectionPageProps) => (
  <>
    <Breadcrumb name="Garments" path={withQuery(garmentsPath, list)} uuid={garment.uuid} list={list} />
    <Heading
      title={garment.status === 'failed' ? 'Describe by hand' : 'Correct the tags'}
      lead={
        garment.status === 'failed'
          ? 'Say at least what it is and its colour. It is then complete, without an annotated picture.'
          : 'Choose the right value, or the tagged one to confirm it. Results then give it with the confidence High.'
      }
    />
    <div class="result">
      {hasPicture(garment) ? (
        <figure class="card picture">
          <AnnotatedPicture garment={garment} result={result} />
          <figcaption>{result.description}</figcaption>
        </figure>
      ) : (
        <Original path={originalPath(garment.tenantId, garment.imageUrl)} />
      )}
      <form class="card" method="post" action={correctionPath(garment.uuid, list)} novalidate data-renew="">
        {changes.length > 0 && <OtherChanges changes={changes} />}
        <Summary form={form} />
        <input type="hidden" name="base" value={formatBase(formValues(parseCorrections(garment.corrections)))} />
        <CorrectionFields form={form} machine={machine} />
        <div class="actions">
          <button>Save</button>
          {garment.status === 'complete' && (
            <button class="plain" name="confirm" value="rest">
              Save and confirm all others
            </button>
          )}
          <button class="plain" name="intent" value="renew" data-without-scripts>
            Show the fields of the chosen item type
          </button>
        </div>
      </form>
    </div>
    <script src="/assets/scripts/correction.js" type="module"></script>
  </>
)

const path = '/dashboard/correct'
const title = 'Correct the tags'

export const correctionPages = new Hono<DashboardEnv>()

correctionPages.get(path, forGarments, async (c) => {
  const garment = await readCorrectable(c.env, c.get('tenant').id, c.req.query('uuid'))
  const form = { values: formValues(parseCorrections(garment.corrections)) }
  return await renderCorrection(c, garment, { form })
})

correctionPages.post(path, formBody, forGarments, async (c) => {
  const tenantId = c.get('tenant').id
  const garment = await readCorrectable(c.env, tenantId, c.req.query('uuid'))
  const { uuid } = garment
  c.set('uuid', uuid)
  const values = await readForm(c)
  const machine = machineResult(garment)
  const current = parseCorrections(garment.corrections)
  const stale = values['base'] === undefined ? null : mergeStale(values['base'], formValues(current), values)
  if (stale !== null && stale.changes.length > 0)
    return await renderCorrection(c, garment, { form: { values: stale.values }, changes: stale.changes }, 409)
  if (values['intent'] === 'renew') return await renderCorrection(c, garment, { form: { values } })
  const patch = readCorrection(values, current, machine, values['confirm'] === 'rest')
  const result = await submit(c, async () => {
    const unread = Object.keys(patch.measurements).filter((name) => Number.isNaN(patch.measurements[name]))
    if (unread.length > 0)
      throw invalidCorrection(
        unread.map((name) => `measurements.${name}: must be a number of ${minCm} to ${maxCm} cm, such as 68.5`),
      )
    const by = correctorOf(c)
    await correctGarment(
      correctionDeps(c.env, tenantId),
      tenantId,
      { uuid, patch, by, ifMatch: await garmentVersion(garment) },
      Date.now(),
    )
  })
  if (result.ok) return c.redirect(garmentPath(uuid, listValues(c.req.query())), 303)
  const problems = problemsOf(result.failure, correctionFields(formItemType(values, machine)))
  return await renderCorrection(c, garment, { form: { values, problems } }, result.failure.status)
})

async function renderCorrection(
  c: Context<DashboardEnv>,
  garment: GarmentRow,
  page: Pick<CorrectionPageProps, 'form' | 'changes'>,
  status: ContentfulStatusCode = 200,
) {
  const list = listValues(c.req.query())
  const props = { ...page, list, garment, result: resultOf(c, garment), machine: machineResult(garment) }
  return await render(c, { title, section: garmentsPath, status }, <CorrectionPage {...props} />)
}

async function readCorrectable(env: Env, tenantId: string, uuid = ''): Promise<GarmentRow> {
  const garment = await getGarment(tenantDatabase(env, tenantId), tenantId, uuid)
  if (garment.status !== 'failed' && garment.status !== 'complete') throw notCorrectable()
  return garment
}

import { Hono } from 'hono'
import { correctGarment } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { getGarment } from '../../garments/garment.ts'
import { parseAttribute } from '../../garments/garment-fields.ts'
import { shortenUuids, shownNumber } from '../../garments/list/garment-number.ts'
import { stageOf, stages } from '../../garments/listing-values.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { valueOf } from '../../platform/value-of.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { formatBase } from '../corrections/read-correction.tsx'
import { attributeField, formBody, type FormValues, readForm, submit } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { Field, Form } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { garmentCellsPath, garmentPath, garmentsPath } from '../paths.ts'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'
import { listValues, type ListValues } from './garment-filter.tsx'
import { ChannelList, ownSpelling } from './garment-form.tsx'

const cellNames = ['Size', 'Price', 'Stage'] as const

type CellName = (typeof cellNames)[number]

const formId = 'cells'

const cellField = (uuid: string, name: CellName) => `cell.${name}.${uuid}`

const cellValue = (attribute: Attribute, name: CellName) => valueOf(attribute, ownSpelling(attribute, name)) ?? ''

interface CellProps {
  readonly uuid: string
  readonly about: string
  readonly attribute: Attribute
  readonly name: CellName
}

/** A field in a row. Scripts save each change. Without scripts, it belongs to the form below the list. */
export const Cell = ({ uuid, about, attribute, name }: CellProps) => {
  const shared = {
    'aria-label': `${name} of ${about}`,
    'data-cell': attributeField(ownSpelling(attribute, name)),
    'data-action': garmentPath(uuid),
    name: cellField(uuid, name),
    form: formId,
    class: 'cell',
  }
  if (name !== 'Stage') return <input {...shared} value={cellValue(attribute, name)} autocomplete="off" />
  return (
    <select {...shared}>
      {stages.map((stage) => (
        <option value={stage === 'draft' ? '' : stage} selected={stage === stageOf(attribute)}>
          {stage}
        </option>
      ))}
    </select>
  )
}

interface CellsFormProps {
  readonly garments: readonly { readonly uuid: string; readonly attribute: Attribute }[]
  readonly list: ListValues
}

/** Saves all cells that were changed, for browsers without scripts. */
export const CellsForm = ({ garments, list }: CellsFormProps) => {
  const opened = garments.flatMap(({ uuid, attribute }) =>
    cellNames.map((name) => [cellField(uuid, name), cellValue(attribute, name)] as const),
  )
  return (
    <Form
      id={formId}
      class="actions"
      action={withQuery(garmentCellsPath, list)}
      fields={{ base: formatBase(Object.fromEntries(opened)) }}
    >
      <button data-without-scripts="">Save the changed cells</button>
    </Form>
  )
}

/** Asks for a sale as soon as a row's stage is set to `sold`. Without scripts, the garment's page has these fields. */
export const SoldDialog = () => (
  <dialog id="sold" aria-labelledby="sold-title">
    <form method="dialog">
      <h2 id="sold-title">Sold</h2>
      <Field name={attributeField('Sold price')} type="number" label="Price" />
      <Field name={attributeField('Sold channel')} label="Sold on" list="channels" optional />
      <Field name={attributeField('Sold at')} type="date" label="Date" />
      <ChannelList />
      <p class="actions">
        <button formmethod="dialog" value="sold">
          Save as sold
        </button>
        <button class="plain" formmethod="dialog" value="" formnovalidate>
          Cancel
        </button>
      </p>
    </form>
  </dialog>
)

function readCells({ base = '', ...values }: FormValues): Map<string, Partial<Record<CellName, string>>> {
  const opened = new URLSearchParams(base)
  const changed = new Map<string, Partial<Record<CellName, string>>>()
  for (const [field, value] of Object.entries(values)) {
    const name = cellNames.find((each) => field.startsWith(`cell.${each}.`))
    if (name === undefined || value.trim() === (opened.get(field) ?? '').trim()) continue
    const uuid = field.slice(`cell.${name}.`.length)
    changed.set(uuid, { ...changed.get(uuid), [name]: value.trim() })
  }
  return changed
}

const maxChanged = 40

export const cellPages = new Hono<DashboardEnv>()

cellPages.post(garmentCellsPath, formBody, forTenant, async (c) => {
  const [db, tenantId, list] = [c.get('db'), c.get('tenant').id, listValues(c.req.query())]
  const changed = [...readCells(await readForm(c))].slice(0, maxChanged)
  await limitWrites(c.env, tenantId)
  const problems: string[] = []
  for (const [uuid, values] of changed) {
    let name = shortenUuids(uuid)
    const result = await submit(c, async () => {
      const garment = await getGarment(db, tenantId, uuid)
      name = shownNumber(garment)
      const attribute = parseAttribute(garment.attribute)
      const entries = Object.entries(values).map(([name, value]) => [ownSpelling(attribute, name), value || null])
      const patch = { tag: {}, measurements: {}, attribute: Object.fromEntries(entries) }
      await correctGarment(
        correctionDeps({ env: c.env, db }),
        tenantId,
        { uuid, patch, by: correctorOf(c) },
        Date.now(),
      )
    })
    if (!result.ok) problems.push(...result.failure.problems.map((problem) => `${name}: ${problem}`))
  }
  if (problems.length > 0) throw invalidBody([...problems, 'All other changed cells were saved.'])
  return c.redirect(withQuery(garmentsPath, { ...list, done: 'cells' }), 303)
})

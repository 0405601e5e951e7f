import type { GarmentResult } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { measurementKey } from '../../correction/rules/measurement.ts'
import type { FormValues } from '../form.ts'
import type { ListValues } from '../garments/list/read-filter.ts'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { linesPath } from '../paths.ts'
import { formatBase } from '../review/stale-form.ts'
import { lineField } from './line-values.ts'

interface LineFormProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly names: readonly string[]
  readonly form: FormState
  readonly opened: FormValues
  readonly list: ListValues | undefined
}

/** The lines as a list of lengths, and as pixel coordinates. Only the coordinates are sent. */
export const LineForm = ({ garment, result, names, form, opened, list = {} }: LineFormProps) => (
  <form class="line-form" method="post" action={withQuery(linesPath, list)} novalidate data-line-form="">
    <Summary form={form} />
    <input type="hidden" name="uuid" value={garment.uuid} />
    <input type="hidden" name="opened" value={formatBase(opened)} />
    <div data-with-scripts="" hidden>
      <ul class="line-list" aria-label="Measuring lines">
        {names.map((name) => (
          <LineItem
            name={name}
            cm={result.measurements?.[measurementKey(name)]}
            isDrawn={form.values[lineField(name)] !== ''}
          />
        ))}
      </ul>
      <p class="hint keys">
        Drag the ends of a line. By keyboard: <kbd>Tab</kbd> to an end, arrow keys move it (with <kbd>Shift</kbd>{' '}
        further), <kbd>Delete</kbd> takes the line out, <kbd>Enter</kbd> saves.
      </p>
    </div>
    <details {...(form.problems === undefined ? {} : { open: true })}>
      <summary>Lines by numbers</summary>
      <p class="hint">
        x and y of one end, then of the other, in pixels of the original ({result.image_size?.width} x{' '}
        {result.image_size?.height}) from its upper left corner. Without numbers there is no line.
      </p>
      {names.map((name) => (
        <Field form={form} name={lineField(name)} label={`${name} line`} optional />
      ))}
    </details>
    <p>
      <button class="plain">Save lines</button> <span class="hint" data-saved="" role="status"></span>
    </p>
  </form>
)

function lengthText(cm: number | undefined, isDrawn: boolean): string {
  if (cm === undefined) return isDrawn ? '' : 'not measured'
  return `${cm.toFixed(1)} cm${isDrawn ? '' : ', without a line'}`
}

const LineItem = ({ name, cm, isDrawn }: { name: string; cm: number | undefined; isDrawn: boolean }) => (
  <li>
    {name} <output data-length={name}>{lengthText(cm, isDrawn)}</output>
    <button type="button" class="quiet" data-draw={name} hidden={isDrawn}>
      Draw<span class="visually-hidden"> {name}</span>
    </button>
    <button type="button" class="quiet" data-take-out={name} hidden={!isDrawn}>
      Take out<span class="visually-hidden"> {name}</span>
    </button>
  </li>
)

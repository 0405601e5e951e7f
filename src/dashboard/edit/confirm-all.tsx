import type { FormValues } from '../form.ts'
import { HiddenFields } from '../parts/fields.tsx'
import { selectedIds, withQuery } from '../parts/list.tsx'
import { Breadcrumb, Notice } from '../parts/text.tsx'
import { editPath, garmentsPath } from '../paths.ts'

interface ConfirmAllProps {
  /** What would be changed, such as `Price of 12 garments`. */
  readonly name: string
  /** Of the garments, which is what is confirmed. */
  readonly count: number
  readonly filter: Readonly<Record<string, string | undefined>>
  readonly values: FormValues
}

/** Asks before all that a list finds is changed, and keeps what was entered. */
export const ConfirmAll = ({ name, count, filter, values: { confirm, ...values } }: ConfirmAllProps) => (
  <>
    <Breadcrumb name="Garments" path={withQuery(garmentsPath, filter)} />
    <h1>Change garments</h1>
    <form method="post" action={withQuery(editPath, filter)}>
      <HiddenFields fields={values} />
      <Notice tone="bad" title={`This changes ${name}.`}>
        {confirm !== undefined && <p>The list finds another number of garments now than when you were asked.</p>}
        {selectedIds(values).length > 0 && <p>All that the list finds are changed, not only those that you ticked.</p>}
        <p>Nothing has been changed yet. Each garment’s history can bring its former values back, one by one.</p>
        <div class="actions">
          <button class="bad" name="confirm" value={String(count)}>
            Change them all
          </button>
          <a href={withQuery(garmentsPath, filter)}>Change nothing</a>
        </div>
      </Notice>
    </form>
  </>
)

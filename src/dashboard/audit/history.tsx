import { describeChange } from '../../correction/rules/attribute-changes.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { Clock } from '../clock.ts'
import type { ListValues } from '../garments/list/read-filter.ts'
import { Allowed } from '../parts/allowed.tsx'
import { Columns } from '../parts/list.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { WhenCell } from '../parts/text.tsx'
import { undoChangePath, undoPath } from '../paths.ts'
import { listHistory, type HistoryEntry } from './list-history.ts'

interface HistoryProps {
  readonly garment: Pick<GarmentRow, 'uuid' | 'corrections' | 'attribute' | 'attributeChanges'>
  /** The parameters of the list that the garment was opened from. */
  readonly list: ListValues
  readonly clock: Clock
}

/** Lists who corrected or changed what. Each entry has a button that restores the predicted or former value or line. */
export const History = ({ garment, list, clock }: HistoryProps) => {
  const entries = listHistory(garment)
  return entries.length === 0 ? null : (
    <section class="card flush" aria-labelledby="history">
      <h2 id="history">History</h2>
      <table class="stack">
        <Columns names={['Time', 'Who', 'What']} hasActions />
        <tbody>
          {entries.map((entry) => (
            <tr>
              <WhenCell label="Time" at={entry.at} clock={clock} />
              <td data-label="Who">{whoOf(entry)}</td>
              <th scope="row">{whatOf(entry)}</th>
              <Undo uuid={garment.uuid} list={list} entry={entry} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Undo = ({ uuid, list, entry }: { uuid: string; list: ListValues; entry: HistoryEntry }) => {
  const { part, name, at, isFinal } = entry
  if (isFinal === true) return <td></td>
  const shown = { label: 'Undo', about: name }
  if (part !== 'attribute') return <RowAction path={undoPath(uuid, list)} fields={{ part, name }} {...shown} />
  return (
    <Allowed to="POST /dashboard/edit/undo" otherwise={<td></td>}>
      <RowAction path={undoChangePath(uuid, list)} fields={{ name, at: String(at) }} {...shown} />
    </Allowed>
  )
}

const whoOf = ({ by }: HistoryEntry) => (by.kind === 'api-key' ? 'An API key' : by.name)

function whatOf({ part, name, before, value, isTakenOut }: HistoryEntry): string {
  if (part === 'attribute') return describeChange(name, before, value)
  if (part === 'lines') return isTakenOut === true ? `Line ${name}: taken out` : `Line ${name}: put right`
  if (before === value) return `${name}: ${value}, confirmed`
  return describeChange(name, before, value)
}

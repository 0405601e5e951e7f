import { describeChange } from '../../correction/rules/attribute-changes.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import type { Clock } from '../clock.ts'
import { Columns } from '../parts/list.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { When } from '../parts/text.tsx'
import { undoPath } from '../paths.ts'
import { listHistory, type HistoryEntry } from './list-history.ts'

interface HistoryProps {
  readonly garment: Pick<GarmentRow, 'uuid' | 'corrections' | 'attribute' | 'attributeChanges'>
  readonly clock: Clock
}

/** Who corrected or changed what, each with a button that brings the predicted or former value or line back. */
export const History = ({ garment, clock }: HistoryProps) => {
  const entries = listHistory(garment)
  return entries.length === 0 ? null : (
    <section class="card flush" aria-labelledby="history">
      <h2 id="history">History</h2>
      <table class="stack">
        <Columns names={['Time', 'Who', 'What']} hasActions />
        <tbody>
          {entries.map((entry) => (
            <tr>
              <td data-label="Time">
                <When at={entry.at} clock={clock} />
              </td>
              <td data-label="Who">{whoOf(entry)}</td>
              <th scope="row">{whatOf(entry)}</th>
              {entry.isFinal === true ? (
                <td></td>
              ) : (
                <RowAction
                  path={undoPath(garment.uuid)}
                  fields={{ part: entry.part, name: entry.name, at: String(entry.at) }}
                  label="Undo"
                  about={entry.name}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const whoOf = ({ by }: HistoryEntry) => (by.kind === 'api-key' ? 'An API key' : (by.name ?? 'A person'))

function whatOf({ part, name, before, value, isTakenOut }: HistoryEntry): string {
  if (part === 'attribute') return describeChange(name, before, value)
  if (part === 'lines') return isTakenOut === true ? `Line ${name}: taken out` : `Line ${name}: put right`
  if (before === value) return `${name}: ${value}, confirmed`
  return describeChange(name, before, value)
}

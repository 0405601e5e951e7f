import type { Clock } from '../clock.ts'
import { Columns } from '../parts/list.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { WhenCell } from '../parts/text.tsx'
import { undoPath } from '../paths.ts'
import { listHistory, type HistoryEntry } from './list-history.ts'

interface HistoryProps {
  readonly uuid: string
  /** Of the garment, as it is stored. */
  readonly corrections: string | null
  readonly clock: Clock
}

/** Who corrected what, each with a button that brings the predicted value or line back. */
export const History = ({ uuid, corrections, clock }: HistoryProps) => {
  const entries = listHistory(corrections)
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
              <RowAction
                path={undoPath(uuid)}
                fields={{ part: entry.part, name: entry.name }}
                label="Undo"
                about={entry.name}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const whoOf = ({ by }: HistoryEntry) => (by.kind === 'api-key' ? 'An API key' : (by.name ?? 'A person'))

function whatOf({ name, before, value, isTakenOut }: HistoryEntry): string {
  if (value === null) return isTakenOut === true ? `Line ${name}: taken out` : `Line ${name}: put right`
  if (before === value) return `${name}: ${value}, confirmed`
  return before === null ? `${name}: ${value}, added` : `${name}: ${before} → ${value}`
}

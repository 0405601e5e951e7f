import type { ImportRow } from '../../import/list-imports.ts'
import type { ImportLineRow } from '../../import/get-import.ts'
import { Badge, StatusBadge, type StatusNames } from '../parts/text.tsx'

export const lineStatusNames: StatusNames<ImportLineRow['status']> = {
  waiting: ['calm', 'Waiting'],
  tagging: ['busy', 'Tagging'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
  unchanged: ['calm', 'Unchanged'],
  refused: ['bad', 'Refused'],
}

export const LineStatus = ({ status }: { status: ImportLineRow['status'] }) => (
  <StatusBadge names={lineStatusNames} status={status} />
)

type State = Pick<ImportRow, 'paused' | 'storedAt' | 'endedAt' | 'tagging'>

export const ImportStatus = ({ row }: { row: State }) => {
  if (row.endedAt !== null) return <Badge tone="good">Done</Badge>
  if (row.storedAt === null) return <Badge tone="calm">Being stored</Badge>
  if (!row.paused) return <Badge tone="busy">Under way</Badge>
  return <Badge tone="calm">{row.tagging === 0 ? 'Paused' : `Paused, ${count(row.tagging)} still being tagged`}</Badge>
}

export const totalOf = ({ waiting, tagging, complete, failed, unchanged, refused }: ImportRow) =>
  waiting + tagging + complete + failed + unchanged + refused

/** Whether anything may change without a person. */
export const isLive = ({ endedAt, storedAt, paused, tagging }: ImportRow) =>
  endedAt === null && storedAt !== null && (!paused || tagging > 0)

/** How many lines have ended, as a bar. */
export const ImportProgress = ({ row, label }: { row: ImportRow; label: string }) => (
  <progress max={Math.max(totalOf(row), 1)} value={totalOf(row) - row.waiting - row.tagging} aria-label={label} />
)

export const count = (number: number) => number.toLocaleString('en-US')

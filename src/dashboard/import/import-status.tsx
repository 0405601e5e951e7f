import { formatCount } from '../../count.ts'
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

export const ImportStatus = ({ row }: { row: ImportRow }) => {
  const missing = missingFiles(row)
  if (row.endedAt !== null && missing > 0)
    return (
      <Badge tone="calm">{`${formatCount(missing)} ${missing === 1 ? 'file has' : 'files have'} not arrived`}</Badge>
    )
  if (row.endedAt !== null) return <Badge tone="good">Done</Badge>
  if (row.storedAt === null) return <Badge tone="calm">Being stored</Badge>
  if (!row.paused) return <Badge tone="busy">Under way</Badge>
  return (
    <Badge tone="calm">{row.tagging === 0 ? 'Paused' : `Paused, ${formatCount(row.tagging)} still being tagged`}</Badge>
  )
}

const linesOf = ({ waiting, tagging, complete, failed, unchanged, refused }: ImportRow) =>
  waiting + tagging + complete + failed + unchanged + refused

/** Files announced by the page that have not arrived yet or were lost. */
const missingFiles = (row: ImportRow) => Math.max(row.expectedFiles - linesOf(row), 0)

/** Lines, and the files that have not arrived. */
export const totalOf = (row: ImportRow) => linesOf(row) + missingFiles(row)

/** Lines that have ended. */
export const endedOf = (row: ImportRow) => linesOf(row) - row.waiting - row.tagging

/** Whether the import may still change by itself. */
export const isLive = ({ endedAt, storedAt, paused, tagging }: ImportRow) =>
  endedAt === null && storedAt !== null && (!paused || tagging > 0)

/** A progress bar of the lines that have ended. */
export const ImportProgress = ({ row, label }: { row: ImportRow; label: string }) => (
  <progress max={Math.max(totalOf(row), 1)} value={endedOf(row)} aria-label={label} />
)

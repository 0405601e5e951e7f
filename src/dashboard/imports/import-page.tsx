import { PostForm } from '../parts/fields.tsx'
import { formatCount } from '../../platform/format-count.ts'
import { type ImportLineRow, type ImportRow, linesOf } from '../../imports/get-import.ts'
import {
  Badge,
  Breadcrumb,
  Empty,
  Facts,
  Heading,
  maybeWhen,
  Notice,
  StatusBadge,
  type StatusNames,
  When,
} from '../parts/text.tsx'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { importLineStatuses } from '../../platform/db/schema.ts'
import { uploadedFileName } from '../../garments/pictures/uploaded-file.ts'
import { binPath, garmentPath, importPath, importsPath, importUndoPath } from '../paths.ts'
import { Bin } from '../parts/actions.tsx'
import { Table, Filter, Pager, withQuery } from '../parts/list.tsx'

export const lineStatusNames: StatusNames<ImportLineRow['status']> = {
  waiting: ['calm', 'Waiting'],
  tagging: ['busy', 'Tagging'],
  complete: ['good', 'Complete'],
  failed: ['bad', 'Failed'],
  unchanged: ['calm', 'Unchanged'],
  refused: ['bad', 'Refused'],
  asking: ['bad', 'Asks'],
}

export const ImportStatus = ({ row }: { row: ImportRow }) => {
  const missing = missingFiles(row)
  if (row.endedAt !== null && missing > 0)
    return (
      <Badge tone="calm">{`${formatCount(missing)} ${missing === 1 ? 'garment has' : 'garments have'} not arrived`}</Badge>
    )
  if (row.endedAt !== null) return <Badge tone="good">Done</Badge>
  if (row.storedAt === null) return <Badge tone="calm">Being stored</Badge>
  if (!row.paused) return <Badge tone="busy">Under way</Badge>
  return (
    <Badge tone="calm">{row.tagging === 0 ? 'Paused' : `Paused, ${formatCount(row.tagging)} still being tagged`}</Badge>
  )
}

/** Garments announced by the page whose files have not arrived yet or were lost. */
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

interface ImportPageProps {
  readonly row: ImportRow
  readonly lines: readonly ImportLineRow[]
  readonly status: ImportLineRow['status'] | undefined
  /** The number of the line before the page, as text. */
  readonly cursor: string | undefined
  readonly nextAfter: number | null
  /** Table of which nothing was read, directly after the import. */
  readonly ignored: string | undefined
}

export const ImportPage = ({ row, lines, status, cursor, nextAfter, ignored }: ImportPageProps) => (
  <>
    <Breadcrumb name="Add many" path={importsPath} />
    <div
      id="live"
      data-live={isLive(row) ? '' : undefined}
      data-announce={row.endedAt === null ? undefined : 'Import: done'}
    >
      <Heading title={<span class="break">{row.name}</span>}>
        <ImportStatus row={row} />
      </Heading>
      {ignored !== undefined && (
        <Notice tone="busy" title="These columns were left out, because they are computed or not for garments:">
          <p class="break">{ignored}</p>
        </Notice>
      )}
      {row.asking > 0 && <Asking row={row} />}
      {row.endedAt !== null && row.edits > 0 && (
        <form class="actions" method="post" action={importUndoPath(row.id)}>
          <button class="plain">Undo its changes</button>
          <span class="hint">What was changed again since stays as it is.</span>
        </form>
      )}
      <Summary row={row} />
      <Filter
        label="Status"
        options={[[undefined, 'All'], ...importLineStatuses.map((each) => [each, lineStatusNames[each][1]] as const)]}
        current={status}
        href={(value) => withQuery(importPath(row.id), { status: value })}
      />
      <section class="card flush" aria-label="Lines">
        {lines.length === 0 ? <Empty title="No lines here" /> : <LineTable lines={lines} />}
      </section>
    </div>
    <Pager
      path={importPath(row.id)}
      query={{ status }}
      isFirst={cursor === undefined}
      next={nextAfter === null ? null : String(nextAfter)}
      nextName="Further lines"
    />
    {row.storedAt !== null && (
      <Bin what="import" action={`${importPath(row.id)}/delete`}>
        It goes into the <a href={binPath}>bin</a> with its report, and lines that wait are not uploaded. Garments that
        it has uploaded stay.
      </Bin>
    )}
  </>
)

const Asking = ({ row }: { row: ImportRow }) => (
  <Notice
    tone="bad"
    title={`${formatCount(row.asking)} ${row.asking === 1 ? 'row is' : 'rows are'} older than a later change, and changed nothing.`}
  >
    <p>
      The list names what was changed since. <a href={`${importPath(row.id)}?status=asking`}>Show them</a>
    </p>
    <PostForm action={`${importPath(row.id)}/overwrite`} button="Apply them all the same" kind="plain" />
  </Notice>
)

const Summary = ({ row }: { row: ImportRow }) => (
  <section class="card" aria-label="Progress">
    <ImportProgress row={row} label="Progress" />
    <Facts
      facts={[
        ['Lines', formatCount(totalOf(row))],
        ...importLineStatuses.map(
          (status) => [lineStatusNames[status][1], row[status] === 0 ? '' : formatCount(row[status])] as const,
        ),
        ['Begun', <When at={row.createdAt} />],
        ['Done', maybeWhen(row.endedAt)],
      ]}
    />
    <div class="actions">
      {row.endedAt === null && row.storedAt !== null && (
        <form method="post" action={`${importPath(row.id)}/${row.paused ? 'resume' : 'pause'}`}>
          <button class="plain">{row.paused ? 'Resume' : 'Pause'}</button>
        </form>
      )}
      <a class="button plain" href={`${importPath(row.id)}/report.csv`}>
        Download a report
      </a>
      {isLive(row) && (
        <a href="" data-without-scripts>
          Reload
        </a>
      )}
    </div>
  </section>
)

const hasGarment = (status: ImportLineRow['status']) => status !== 'waiting' && status !== 'refused'

const LineTable = ({ lines }: { lines: readonly ImportLineRow[] }) => (
  <Table names={['Line', 'Garment', 'Status', 'Image, or what is wrong']}>
    {lines.map(({ line, uuid, imageUrl, status, problem }) => (
      <tr>
        <td data-label="Line">{line}</td>
        <th scope="row">
          {hasGarment(status) ? (
            <a class="break" href={garmentPath(uuid)}>
              {shownNumber(uuid)}
            </a>
          ) : (
            <span class="uuid">{uuid || '–'}</span>
          )}
        </th>
        <td data-label="Status">
          <StatusBadge names={lineStatusNames} status={status} />
        </td>
        <td data-label={problem === '' ? 'Image' : 'Problem'}>
          {problem === '' ? (
            <span class="hint break">{uploadedFileName(imageUrl) ?? imageUrl}</span>
          ) : (
            <span class="reason">{problem}</span>
          )}
        </td>
      </tr>
    ))}
  </Table>
)

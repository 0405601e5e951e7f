import { formatCount } from '../../count.ts'
import { importLineStatuses } from '../../db/schema.ts'
import { uploadedFileName } from '../../garment/uploaded-file.ts'
import type { ImportLineRow } from '../../import/get-import.ts'
import type { ImportRow } from '../../import/list-imports.ts'
import type { Clock } from '../clock.ts'
import { garmentPath, importPath, importsPath } from '../paths.ts'
import { ConfirmDelete } from '../parts/confirm.tsx'
import { Columns, Filter, Pager } from '../parts/list.tsx'
import { Breadcrumb, Empty, Facts, Heading, When } from '../parts/text.tsx'
import { ImportProgress, ImportStatus, isLive, lineStatusNames, LineStatus, totalOf } from './import-status.tsx'

interface ImportPageProps {
  readonly row: ImportRow
  readonly lines: readonly ImportLineRow[]
  readonly status: ImportLineRow['status'] | undefined
  /** The number of the line before the page, as text. */
  readonly cursor: string | undefined
  readonly nextAfter: number | null
  readonly clock: Clock
}

export const ImportPage = ({ row, lines, status, cursor, nextAfter, clock }: ImportPageProps) => (
  <>
    <Breadcrumb name="Imports" path={importsPath} />
    <div
      id="live"
      {...(isLive(row) ? { 'data-live': '' } : {})}
      {...(row.endedAt === null ? {} : { 'data-announce': 'Import: done' })}
    >
      <Heading title={<span class="break">{row.name}</span>}>
        <ImportStatus row={row} />
      </Heading>
      <Summary row={row} clock={clock} />
      <Filter
        path={importPath(row.id)}
        label="Status"
        options={[[undefined, 'All'], ...importLineStatuses.map((each) => [each, lineStatusNames[each][1]] as const)]}
        current={status}
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
      <ConfirmDelete what="import" action={`${importPath(row.id)}/delete`}>
        Its lines and its report are removed, and lines that wait are not uploaded. Garments that it has uploaded stay.
      </ConfirmDelete>
    )}
  </>
)

const Summary = ({ row, clock }: { row: ImportRow; clock: Clock }) => (
  <section class="card" aria-label="Progress">
    <ImportProgress row={row} label="Progress" />
    <Facts
      facts={[
        ['Lines', formatCount(totalOf(row))],
        ...importLineStatuses
          .filter((status) => row[status] > 0)
          .map((status) => [lineStatusNames[status][1], formatCount(row[status])] as const),
        ['Begun', <When at={row.createdAt} clock={clock} />],
        ...(row.endedAt === null ? [] : [['Done', <When at={row.endedAt} clock={clock} />] as const]),
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
  <table class="stack">
    <Columns names={['Line', 'uuid', 'Status', 'Image, or what is wrong']} />
    <tbody>
      {lines.map(({ line, uuid, imageUrl, status, problem }) => (
        <tr>
          <td data-label="Line">{line}</td>
          <th scope="row">
            {hasGarment(status) ? (
              <a class="uuid" href={garmentPath(uuid)}>
                {uuid}
              </a>
            ) : (
              <span class="uuid">{uuid || '–'}</span>
            )}
          </th>
          <td data-label="Status">
            <LineStatus status={status} />
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
    </tbody>
  </table>
)

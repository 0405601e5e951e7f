import type { ImportRow } from '../../import/list-imports.ts'
import type { Clock } from '../clock.ts'
import type { FormState } from '../parts/fields.tsx'
import { Columns, Pager } from '../parts/list.tsx'
import { Empty, Heading, Notice, WhenCell } from '../parts/text.tsx'
import { CsvForm } from './csv-form.tsx'
import { FilesForm } from './files-form.tsx'
import { importPath, importsPath } from '../paths.ts'
import { count, endedOf, ImportProgress, ImportStatus, isLive, totalOf } from './import-status.tsx'

interface ImportsPageProps {
  readonly imports: readonly ImportRow[]
  readonly nextCursor: string | null
  readonly cursor: string | undefined
  /** For the files that are uploaded from this page. */
  readonly importId: string
  readonly isDeleted: boolean
  readonly csvForm: FormState
  readonly filesForm: FormState
  readonly clock: Clock
}

export const ImportsPage = (props: ImportsPageProps) => {
  const { imports, nextCursor, cursor, clock } = props
  return (
    <>
      <Heading
        title="Imports"
        lead="Bring in many garments at once. They are tagged one after the other; you can close the page meanwhile."
      />
      {props.isDeleted && <Notice tone="good" title="The import was deleted." />}
      {cursor === undefined && (
        <div class="halves">
          <FilesForm form={props.filesForm} importId={props.importId} />
          <CsvForm form={props.csvForm} />
        </div>
      )}
      <section
        class="card flush"
        id="live"
        aria-label="Your imports"
        {...(imports.some(isLive) ? { 'data-live': '' } : {})}
      >
        {imports.length === 0 ? (
          <Empty title={cursor === undefined ? 'No imports yet' : 'No more imports'} />
        ) : (
          <ImportTable imports={imports} clock={clock} />
        )}
      </section>
      <Pager path={importsPath} query={{}} isFirst={cursor === undefined} next={nextCursor} nextName="Older imports" />
      <script src="/assets/scripts/upload/upload-files.js" type="module"></script>
    </>
  )
}

const ImportTable = ({ imports, clock }: { imports: readonly ImportRow[]; clock: Clock }) => (
  <table class="stack">
    <Columns names={['Import', 'Status', 'Progress', 'Problems', 'Begun']} />
    <tbody>
      {imports.map((row) => (
        <tr>
          <th scope="row">
            <a class="break" href={importPath(row.id)}>
              {row.name}
            </a>
          </th>
          <td data-label="Status">
            <ImportStatus row={row} />
          </td>
          <td data-label="Progress">
            <ImportProgress row={row} label={`Progress of ${row.name}`} />{' '}
            <span class="hint">
              {count(endedOf(row))} of {count(totalOf(row))}
            </span>
          </td>
          <td data-label="Problems">{count(row.failed + row.refused)}</td>
          <WhenCell label="Begun" at={row.createdAt} clock={clock} />
        </tr>
      ))}
    </tbody>
  </table>
)

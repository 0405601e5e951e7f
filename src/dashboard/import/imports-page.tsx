import { formatCount } from '../../count.ts'
import type { ImportRow } from '../../import/list-imports.ts'
import type { Clock } from '../clock.ts'
import type { FormState } from '../parts/fields.tsx'
import { Columns, Pager, SelectAll, SelectBox } from '../parts/list.tsx'
import { Empty, Heading, Notice, WhenCell } from '../parts/text.tsx'
import { CsvForm } from './csv-form.tsx'
import { FilesForm } from './files-form.tsx'
import { importPath, importsDeletionPath, importsPath } from '../paths.ts'
import { endedOf, ImportProgress, ImportStatus, isLive, totalOf } from './import-status.tsx'

interface ImportsPageProps {
  readonly imports: readonly ImportRow[]
  readonly nextCursor: string | null
  readonly cursor: string | undefined
  /** For the files that are uploaded from this page. */
  readonly importId: string
  /** What was just done, as in the page's address. */
  readonly done: string | undefined
  readonly csvForm: FormState
  readonly filesForm: FormState
  readonly clock: Clock
}

const doneTexts = new Map([
  ['deleted', 'The import was deleted.'],
  ['all_deleted', 'The selected imports were deleted.'],
])

export const ImportsPage = (props: ImportsPageProps) => {
  const { imports, nextCursor, cursor, clock } = props
  const done = doneTexts.get(props.done ?? '')
  return (
    <>
      <Heading
        title="Imports"
        lead="Bring in many garments at once. They are tagged one after the other; you can close the page meanwhile."
      />
      {done !== undefined && <Notice tone="good" title={done} />}
      {props.done === 'some_deleted' && (
        <Notice tone="busy" title="Not all of the selected imports were deleted.">
          <p>The others were gone already, or their lines are still being stored; try those again in a moment.</p>
        </Notice>
      )}
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
      {imports.some(isDeletable) && (
        <>
          <SelectAll form={deletionFormId} />
          <details class="card confirm">
            <summary>Delete several imports</summary>
            <form id={deletionFormId} method="post" action={importsDeletionPath}>
              {/* Enter on a ticked box presses the form's first button, and this one sends nothing. */}
              <button formmethod="dialog" hidden></button>
              <p>
                The selected imports are removed with their lines and reports, and lines that wait are not uploaded.
                Garments that they have uploaded stay. This cannot be undone.
              </p>
              <button class="bad">Delete the selected now</button>
            </form>
          </details>
        </>
      )}
      <Pager path={importsPath} query={{}} isFirst={cursor === undefined} next={nextCursor} nextName="Older imports" />
      <script src="/assets/scripts/upload/upload-files.js" type="module"></script>
    </>
  )
}

/** The boxes of the table belong to it. */
const deletionFormId = 'delete-imports'

/** Not while its lines are being stored. */
const isDeletable = ({ storedAt }: ImportRow) => storedAt !== null

const ImportTable = ({ imports, clock }: { imports: readonly ImportRow[]; clock: Clock }) => (
  <table class="stack">
    <Columns names={['Import', 'Status', 'Progress', 'Problems', 'Begun']} />
    <tbody>
      {imports.map((row) => (
        <tr>
          <th scope="row">
            <span class="pick">
              <SelectBox form={deletionFormId} id={row.id} name={row.name} disabled={!isDeletable(row)} />
              <a class="break" href={importPath(row.id)}>
                {row.name}
              </a>
            </span>
          </th>
          <td data-label="Status">
            <ImportStatus row={row} />
          </td>
          <td data-label="Progress">
            <ImportProgress row={row} label={`Progress of ${row.name}`} />{' '}
            <span class="hint">
              {formatCount(endedOf(row))} of {formatCount(totalOf(row))}
            </span>
          </td>
          <td data-label="Problems">{formatCount(row.failed + row.refused)}</td>
          <WhenCell label="Begun" at={row.createdAt} clock={clock} />
        </tr>
      ))}
    </tbody>
  </table>
)

import { formatCount } from '../../platform/format-count.ts'
import { maxLines } from '../../imports/errors.ts'
import { Field, Form, type FormState, FileField, Summary } from '../parts/fields.tsx'
import {
  binPath,
  exportPath,
  importFilePath,
  importPath,
  importsDeletionPath,
  importsPath,
  importTemplatePath,
  reviewSection,
} from '../paths.ts'
import { CsvFields } from './csv-form.tsx'
import { knownAttributes } from '../../garments/fields.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { attributeField } from '../form.ts'
import type { ImportRow } from '../../imports/get-import.ts'
import { Table, Pager, SelectAll, SelectBox, withQuery } from '../parts/list.tsx'
import { Card, Empty, Heading, Notice, WhenCell } from '../parts/text.tsx'
import { endedOf, ImportProgress, ImportStatus, isLive, totalOf } from './import-page.tsx'

const CsvForm = ({ form }: { form: FormState | undefined }) => (
  <Form class="card" action={importsPath} form={form} enctype="multipart/form-data" aria-labelledby="csv-title">
    <h2 id="csv-title">A spreadsheet</h2>
    <p class="hint">
      Changes the garments that are here, or adds others by the addresses of their pictures. Our own exports, and those
      of Shopify, eBay, Google and WooCommerce, are read as they are.
    </p>
    <CsvFields />
    <button class="plain">Import the lines</button>
    <p class="hint">
      An empty cell changes nothing. New garments need a number (<code>uuid</code>) and the address of a picture (
      <code>image_url</code>): <a href={importTemplatePath}>a template</a>. At most {formatCount(maxLines)} lines.
    </p>
  </Form>
)

/**
 * With scripts it sends many garments, one by one; without them, one with up to eight pictures. The files are last, so
 * that they can be streamed.
 */
const FilesForm = ({ form, importId }: { form: FormState | undefined; importId: string }) => (
  <Form
    class="card"
    action={importFilePath}
    form={form}
    enctype="multipart/form-data"
    aria-labelledby="files-title"
    data-upload={importPath(importId)}
  >
    <h2 id="files-title">From this device</h2>
    <Summary />
    <input type="hidden" name="import" value={importId} />
    <div data-without-scripts>
      <Field name="uuid" label="Number" hint="A new one, if you leave it empty." mono optional />
    </div>
    <details open={form !== undefined}>
      <summary>What is known of all of them</summary>
      <div class="pair">
        {knownAttributes.map((key) => (
          <Field name={attributeField(key)} label={key} optional />
        ))}
      </div>
      <label class="check">
        <input type="checkbox" name="file_names" checked={form?.values['file_names'] === 'on'} />
        Use the name of its file as the number of each garment, instead of a new one
      </label>
    </details>
    <FileField
      name="image"
      label="Photographs"
      hint={
        <>
          <span data-without-scripts>Up to eight of one garment: {formatNames}, at most 20 MiB each.</span>
          <span data-with-scripts hidden>
            Choose as many as you like, or drop them here: up to eight of a garment. Very large ones are scaled down
            before they are sent, but not with a Studio.
          </span>
        </>
      }
      multiple
    />
    <div data-camera>
      <label class="button plain camera" data-further hidden>
        Next photograph of this garment
        <input type="file" accept="image/*" capture="environment" />
      </label>
      <label class="button plain camera" data-with-scripts hidden>
        <span data-first>Take a photograph</span>
        <input type="file" accept="image/*" capture="environment" data-next />
      </label>
    </div>
    <ol class="groups" aria-label="Garments" aria-describedby="moves-help" hidden></ol>
    <div class="moves" role="toolbar" aria-label="The pictures" hidden>
      <button class="plain" type="button" data-action="earlier" data-needs-picture>
        Earlier
      </button>
      <button class="plain" type="button" data-action="later" data-needs-picture>
        Later
      </button>
      <button class="plain" type="button" data-action="alone" data-needs-picture>
        A garment of its own
      </button>
      <button class="plain" type="button" data-action="remove" data-needs-picture>
        Leave out
      </button>
      <button class="plain" type="button" data-action="split">
        Each picture is a garment
      </button>
      <p class="hint" id="moves-help">
        Drag a picture, choose it and press a button, or move it with the arrow keys: past the ends of its garment it
        goes to the one beside. N gives it a garment of its own, Delete leaves it out.
      </p>
    </div>
    <button>Upload</button>
    <p class="uploads-total" hidden>
      <progress max="1" value="0" aria-label="Progress of all images"></progress> <span></span>
    </p>
    <ul class="uploads" aria-label="Uploads" hidden></ul>
    <p class="actions uploaded" hidden>
      <a class="button plain" href={importPath(importId)}>
        Show how they are tagged
      </a>
      <a class="button plain" href={withQuery(reviewSection, { import: importId })}>
        Review them
      </a>
      <a class="button plain" href={exportPath}>
        Export
      </a>
    </p>
  </Form>
)

interface ImportsPageProps {
  readonly imports: readonly ImportRow[]
  readonly nextCursor: string | null
  readonly cursor: string | undefined
  /** For the files that are uploaded from this page. */
  readonly importId: string
  /** Whether only some of the selected were just deleted. */
  readonly isPartlyDone: boolean
  readonly csvForm: FormState | undefined
  readonly filesForm: FormState | undefined
}

export const ImportsPage = (props: ImportsPageProps) => {
  const { imports, nextCursor, cursor } = props
  return (
    <>
      <Heading
        title="Add many"
        lead="As soon as they are uploaded, garments are described one after the other; you can close the page meanwhile."
      />
      {props.isPartlyDone && (
        <Notice tone="busy" title="Not all of the selected imports are in the bin.">
          <p>The others were gone already, or their lines are still being stored; try those again in a moment.</p>
        </Notice>
      )}
      {cursor === undefined && (
        <div class="many">
          <FilesForm form={props.filesForm} importId={props.importId} />
          <CsvForm form={props.csvForm} />
        </div>
      )}
      <div id="live" data-live={imports.some(isLive) ? '' : undefined}>
        {imports.length > 0 && (
          <Card id="added" title="Added before" kind="flush">
            <ImportTable imports={imports} />
          </Card>
        )}
        {imports.length === 0 && cursor !== undefined && <Empty title="No more imports" />}
      </div>
      {imports.some(isDeletable) && (
        <>
          <SelectAll form={deletionFormId} />
          <details class="card confirm">
            <summary>Delete several imports</summary>
            <form id={deletionFormId} method="post" action={importsDeletionPath}>
              {/* Enter on a ticked box presses the form's first button, and this one sends nothing. */}
              <button formmethod="dialog" hidden></button>
              <p>
                The selected imports go into the <a href={binPath}>bin</a> with their reports, and lines that wait are
                not uploaded. Garments that they have uploaded stay.
              </p>
              <button class="bad">Put the selected into the bin</button>
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

const ImportTable = ({ imports }: { imports: readonly ImportRow[] }) => (
  <Table names={['Import', 'Status', 'Progress', 'Problems', 'Begun']}>
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
        <td data-label="Problems">{formatCount(row.failed + row.refused + row.asking)}</td>
        <WhenCell label="Begun" at={row.createdAt} />
      </tr>
    ))}
  </Table>
)

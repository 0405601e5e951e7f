import { waitUntil } from 'cloudflare:workers'
import type { Context } from 'hono'
import { z } from 'zod'
import { garmentUuid, givenAttributeSchema, knownAttributes } from '../../garments/garment-fields.ts'
import { maxLines } from '../../imports/import-errors.ts'
import { storeFile } from '../../imports/store-file.ts'
import { wakeImporter } from '../../imports/wake-importer.ts'
import { newId } from '../../platform/db/database.ts'
import type { MultipartForm } from '../../platform/http/multipart.ts'
import { settingsOf } from '../../settings.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { attributeField, type FormValues, parseFields, readKnownAttributes } from '../form.ts'
import { emptyFile } from '../page-errors.ts'
import { PlainLink } from '../parts/elements.tsx'
import { Field, FileField, Form, type FormState, Summary } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { exportPath, importFilePath, importPath, numbersPath, pictureAdditionPath, reviewSection } from '../paths.ts'
import type { DashboardEnv } from '../viewer.ts'

/**
 * Upload form. With scripts, it sends many garments one by one. Without them, it sends one garment with up to eight
 * pictures. Files come last, so that they can be streamed.
 */
export const FilesForm = ({ form, importId }: { form: FormState | undefined; importId: string }) => (
  <Form
    class="card"
    action={importFilePath}
    form={form}
    enctype="multipart/form-data"
    aria-labelledby="files-title"
    data-upload={importPath(importId)}
    data-numbers={numbersPath}
    data-add-pictures={pictureAdditionPath}
  >
    <h2 id="files-title">From this device</h2>
    <Summary />
    <input type="hidden" name="import" value={importId} />
    <div data-without-scripts>
      <Field name="uuid" label="Number" hint="A new one, if you leave it empty." mono optional />
    </div>
    <details open={form !== undefined}>
      <summary>Attributes of all garments</summary>
      <div class="pair">
        {knownAttributes.map((key) => (
          <Field name={attributeField(key)} label={key} optional />
        ))}
      </div>
      <label class="check">
        <input type="checkbox" name="file_names" checked={form?.values['file_names'] === 'on'} />
        Use each file name as the garment's number
      </label>
    </details>
    <FileField
      name="image"
      label="Photographs"
      hint={
        <>
          <span data-without-scripts>Up to eight of one garment: {formatNames}, at most 20 MiB each.</span>
          <span data-with-scripts hidden>
            Choose as many as you like, or drop them here. A garment has up to eight. Very large photographs are scaled
            down before the upload, except with a Studio.
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
    <p class="hint" data-note="" role="status" hidden></p>
    <ol class="groups" aria-label="Garments" aria-describedby="moves-help" hidden></ol>
    <div class="moves" role="toolbar" aria-label="The pictures" hidden>
      <button class="plain" type="button" data-action="earlier" data-needs-picture>
        Earlier
      </button>
      <button class="plain" type="button" data-action="later" data-needs-picture>
        Later
      </button>
      <button class="plain" type="button" data-action="split" data-needs-picture>
        Split here
      </button>
      <button class="plain" type="button" data-action="join" data-needs-picture>
        Join with previous
      </button>
      <button class="plain" type="button" data-action="remove" data-needs-picture>
        Leave out
      </button>
      <button class="plain" type="button" data-action="separate">
        All separate
      </button>
      <button class="plain" type="button" data-action="clear">
        Leave all out
      </button>
      <p class="hint" id="moves-help">
        Drag a picture, or choose it and press a button. Arrow keys move it, beyond the ends of its garment into the
        next one. S starts a new garment with it, J joins its garment with the previous one, and Delete leaves it out. A
        photographed QR code or barcode starts a garment and is not published.
      </p>
    </div>
    <button>Upload</button>
    <p class="uploads-total" hidden>
      <progress max="1" value="0" aria-label="Progress of all images"></progress> <span></span>
    </p>
    <ul class="uploads" aria-label="Uploads" hidden></ul>
    <p class="actions uploaded" hidden>
      <PlainLink to={importPath(importId)}>Show progress</PlainLink>
      <PlainLink to={withQuery(reviewSection, { import: importId })}>Review them</PlainLink>
      <PlainLink to={exportPath}>Export</PlainLink>
    </p>
  </Form>
)

/** Values of photographed codes, under their usual names. */
const codeNames = ['SKU', 'Barcode'] as const

const fileFields = z.object({
  import: z.string().regex(/^[0-9a-f-]{36}$/, 'must be the one of the page'),
  uuid: garmentUuid,
  attribute: givenAttributeSchema,
  // Number of garments that the page's script will upload. Only the script sends it.
  total: z.coerce.number().int().min(0).max(maxLines).default(0),
  number: z.coerce.number().int().positive().optional(),
})

/** Stores the form's files as the pictures of one garment, in one line of the import. */
export async function receiveFile(c: Context<DashboardEnv>, { fields, file }: MultipartForm, nowMs: number) {
  const tenantId = c.get('tenant').id
  if (file.size === 0) throw emptyFile()
  const {
    import: importId,
    uuid,
    attribute,
    total: expectedFiles,
    number,
  } = parseFields(fileFields, {
    import: fields['import'],
    uuid: fields['uuid']?.trim() || (fields['file_names'] === 'on' ? withoutExtension(file.name) : newId()),
    attribute: { ...readKnownAttributes(fields), ...readCodes(fields) },
    total: fields['total'],
    number: fields['number'],
  })
  const deps = { db: c.get('db'), pictures: c.env.PICTURES, settings: settingsOf(c.env) }
  const { origin } = new URL(c.req.url)
  const line = await storeFile(
    deps,
    tenantId,
    { importId, uuid, attribute, number, file, origin, expectedFiles },
    nowMs,
  )
  waitUntil(wakeImporter(c.env, tenantId))
  return { importId, line, uuid }
}

const readCodes = (fields: FormValues) =>
  Object.fromEntries(codeNames.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

const withoutExtension = (name: string) => name.replace(/(.)\.[^.]*$/, '$1')

import { knownAttributes } from '../../garment/fields.ts'
import { contentTypes, formatNames } from '../../vision/image/formats.ts'
import { attributeField } from '../attribute-fields.ts'
import { Field, Frame, inputAttributes, Summary, type FormState } from '../parts/fields.tsx'
import { importFilePath, importPath } from '../paths.ts'

/** With scripts it sends many files, one by one; without them, one. The file is last, so that it can be streamed. */
export const FilesForm = ({ form, importId }: { form: FormState; importId: string }) => {
  const file = {
    form,
    name: 'image',
    label: 'Images',
    hint: (
      <>
        <span data-without-scripts>{formatNames}, at most 20 MiB each.</span>
        <span data-with-scripts hidden>
          Any photographs that this browser can open. Very large ones are scaled down before they are sent, but not with
          a Studio.
        </span>
      </>
    ),
  }
  return (
    <form
      class="card"
      method="post"
      action={importFilePath}
      enctype="multipart/form-data"
      novalidate
      aria-labelledby="files-title"
      data-upload={importPath(importId)}
    >
      <h2 id="files-title">Images from this device</h2>
      <Summary form={form} />
      <input type="hidden" name="import" value={importId} />
      <div data-without-scripts>
        <Field form={form} name="uuid" label="uuid" hint="A new one, if you leave it empty." mono optional />
      </div>
      <label class="check">
        <input type="checkbox" name="file_names" checked={form.values['file_names'] === 'on'} />
        Use the name of each file as its uuid, instead of a new one
      </label>
      <details open={form.problems !== undefined}>
        <summary>Attributes of these images</summary>
        <div class="pair">
          {knownAttributes.map((key) => (
            <Field form={form} name={attributeField(key)} label={key} optional />
          ))}
        </div>
      </details>
      <Frame {...file}>
        <input {...inputAttributes(file)} type="file" accept={contentTypes.join(',')} />
      </Frame>
      <label class="button plain camera" data-with-scripts hidden>
        Take a photograph
        <input type="file" accept="image/*" capture="environment" data-camera />
      </label>
      <button>Upload</button>
      <p class="uploads-total" hidden>
        <progress max="1" value="0" aria-label="Progress of all images"></progress> <span></span>
      </p>
      <ul class="uploads" aria-label="Uploads" hidden></ul>
    </form>
  )
}
